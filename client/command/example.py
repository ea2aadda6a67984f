"""Examples for every command's help, each a line that works as it stands, names and addresses aside."""

EXAMPLES: dict[str | None, str] = {
    None: """\
examples:
  conquest                              the menu
  conquest play galaxy                  against the computer, nothing else to start
  conquest host conquer                 open a match and get a link for a friend
  conquest join                         look for matches on this network
  conquest join conquest://...          join by link
  conquest COMMAND --help               more about a command""",
    "play": """\
examples:
  conquest play galaxy
  conquest play grid --bot hard --option size=4
  conquest play duel --first guest      the computer begins
  conquest play galaxy --bot mine.py    against a bot of your own
  conquest play grid --two              two people at this keyboard""",
    "host": """\
examples:
  conquest host conquer
  conquest host digit --clock 60 --private
  conquest host galaxy --hints               both may ask what to play
  conquest host grid --public example.org    a link for friends on the internet
  conquest host grid --relay example.org     for friends on the internet, through the relay there
  conquest host grid --at example.org        on a server that runs there
  conquest host --resume                     back to a match that was interrupted""",
    "join": """\
examples:
  conquest join                              look around on this network
  conquest join 'conquest://192.168.1.20:7717/7K3M9QXZ#fp=...'
  conquest join 7K3M-9QXZ                    looks for the match: here, and where you have been
  conquest join 192.168.1.20 7K3M-9QXZ
  conquest join 192.168.1.20                 list the open matches there
  conquest join --resume                     back to the seat that was left last""",
    "watch": """\
examples:
  conquest watch                             list what can be watched: here, and where you have been
  conquest watch 192.168.1.20                list what can be watched there
  conquest watch 'conquest://192.168.1.20:7717/7K3M9QXZ#fp=...'
  conquest watch 192.168.1.20 7K3M-9QXZ""",
    "matches": """\
examples:
  conquest matches                           whose turn it is, and a number goes there
  conquest matches --plain | grep "your turn" """,
    "rules": """\
examples:
  conquest rules
  conquest rules galaxy""",
    "history": """\
examples:
  conquest history
  conquest history galaxy --with Bob         those against Bob, and the score
  conquest history --plain                   print it, and ask what to show again""",
    "replay": """\
examples:
  conquest replay 1                          the last match of the history
  conquest replay 1 --plain                  step by step, in lines
  conquest replay match.jsonl --to text      print it whole""",
    "review": """\
examples:
  conquest review 1                          the last match of the history
  conquest review match.jsonl --ascii > review.txt""",
    "arena": """\
examples:
  conquest arena easy perfect conquer -n 200
  conquest arena mine.py hard grid --option size=4
  conquest arena mine.py yours.py galaxy --seed 7     the same matches every time""",
    "bot": """\
examples:
  conquest bot mine.py --join 'conquest://192.168.1.20:7717/7K3M9QXZ#fp=...'
  conquest bot mine.py --join 192.168.1.20 7K3M-9QXZ
  conquest bot perfect --host grid                    anybody can try to beat it""",
    "doctor": "",
    "journal": """\
examples:
  conquest journal copy ~/conquest.db postgresql://db.example.org/conquest
  conquest journal copy postgresql:///conquest conquest.db""",
    "completion": """\
examples:
  eval "$(conquest completion bash)"
  conquest completion fish > ~/.config/fish/completions/conquest.fish""",
}
