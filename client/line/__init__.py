"""Line mode: the face that speaks in lines of text."""
