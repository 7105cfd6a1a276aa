"""Words of people's text, corrected and classified: places, powers, pronouns, verbs.

Polite words are left out. A long unknown word is replaced by the one known word of which it is a misspelling.
Others stay: no clause contains them. Places are read as in orders (`bordeaux.board.notation_words`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.notation_words import COASTS, Cursor, Place

#: The maximum number of characters of a text.
LONGEST = 1000
#: The minimum length of an unknown word that is corrected, and of one that is completed to a name. Shorter
#: ones are too often English: ``hate`` is not ``have``.
LEAST_CORRECTED, LEAST_COMPLETED = 5, 4
#: Letters that are taken for each other.
_ALIKE = "AEIOUY", "CKSZ"


def _keys(**listed: str) -> dict[str, str]:
    return {word: key for key, words in listed.items() for word in words.split()}


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


#: The words with a meaning, by the word that stands for all its synonyms.
KEYS = _keys(
    PEACE="PEACE PCE TRUCE CEASEFIRE FRIENDS FRIENDSHIP FRIENDLY NONAGGRESSION",
    ALLY="ALLIANCE ALLY ALLIED ALLIES ALY ALIGN TEAM WORK COOPERATE COLLABORATE JOIN FORCES",
    AGAINST="AGAINST VS VERSUS VSS",
    FIGHT="FIGHT FIGHTS ATTACK ATTACKS ATTACKING",
    WAR="WAR",
    DRAW="DRAW DRW DRAWS DRAWN TIE",
    ALONE="ALONE EMPTY CLEAR FREE",
    GAME="GAME",
    END="END ENDS OVER OFF",
    DMZ="DMZ DMZS BUFFER DEMILITARISE DEMILITARISED DEMILITARIZE DEMILITARIZED",
    KEEP="KEEP KEEPS STAY STAYS STAYING REMAIN REMAINS",
    OUT="OUT AWAY",
    BOUNCE="BOUNCE BOUNCES",
    LEAVE="LEAVE LEAVES LEAVING AVOID AVOIDS",
    SUPPORT="SUPPORT SUPPORTS SUP S HELP HELPS SUPPORTING",
    HOLD="HOLD HOLDS HLD H HOLDING",
    MOVE="MOVE MOVES MTO M GO GOES SAIL SAILS MARCH MARCHES ENTER ENTERS MOVING",
    TO="TO INTO ONTO TOWARD TOWARDS",
    DASH="-",
    CONVOY="CONVOY CONVOYS CVY C CONVOYING",
    RETREAT="RETREAT RETREATS RETREATING RTO R",
    DISBAND="DISBAND DISBANDS DISBANDING REMOVE REMOVES DSB D",
    BUILD="BUILD BUILDS BLD B",
    WAIVE="WAIVE WAIVES WVE",
    GET="TAKE TAKES GET GETS GRAB GRABS KEEPING ACCEPT",
    HAVE="HAVE HAS",
    NOT="NOT NO NEVER DONT WONT CANNOT DOESNT",
    AND="AND & + PLUS , ; WHILE BUT BECAUSE SINCE",
    OR="OR",
    IF="IF UNLESS WHEN ONCE FIRST INSTEAD",
    AFTER="AFTER BEFORE",
    SAID="HEARD TOLD SAID CLAIMS CLAIMED LIED WANTS RUMOUR RUMOR TRUST WHETHER",
    YEAR="YEAR YEARS",
    STOP="¶",
    FROM="FROM",
    UNTIL="UNTIL TILL THROUGH THRU",
    BETWEEN="BETWEEN AMONG",
    WITH="WITH",
    OF="OF",
    FOR="FOR",
    IN="IN AT ON INSIDE",
    BY="BY VIA",
    I="I ME MY MINE MYSELF",
    YOU="YOU YOUR YOURS U",
    WE="WE US OUR OURS",
    ARMY="ARMY ARMIES AMY",
    FLEET="FLEET FLEETS FLT F",
    UNIT="UNIT UNITS",
    A="A",
    NOBODY="NOBODY NEUTRAL",
    SEASON="SPRING SPR SUMMER FALL FAL AUTUMN AUT WINTER",
    THIS="THIS",
    NEXT="NEXT",
    TURN="TURN PHASE NOW",
    DECLARE="DECLARE DECLARES DECLARED",
    COAST="COAST",
)
#: Words without a meaning of their own, which are skipped.
FILLERS = _set(
    """THE PLEASE PLS PLZ HI HELLO HEY DEAR WELL SO JUST REALLY THANKS THANK OK OKAY WILL SHALL
    CAN MUST DO DOES LIKE WANT TRY NEED HOPE GOING GONNA AGREE BE IS ARE AM
    MAKE MAKES FORM SIGN THAT THERE THEN IT AN SOME ANY ALL EACH OTHER BOTH TOGETHER UP MUTUAL FRIEND DEAL
    AGREEMENT PACT TREATY PROPOSAL OFFER SUGGESTION IDEA TOO ORDER VOTE
    STILL ALSO ALWAYS FINALLY SECOND
    GOOD GREAT NICE WELCOME LET ARRANGE CALL SORRY ZONE AS GLAD HAPPY WILLING . : ! " “ ” ( ) * _ #"""
)
#: Words that begin a clause after its subject; a power before one of them does not belong to a list that ends
#: there.
VERBS = _set(
    """KEEP LEAVE SUPPORT HOLD MOVE CONVOY RETREAT DISBAND BUILD WAIVE GET HAVE ARMY FLEET UNIT A
    ALLY PEACE DMZ NOT FIGHT DECLARE BOUNCE"""
)
#: Courtesies in words that would deny or ask in other places.
COURTESY = (
    r"\b(?:(?:(?:you|we|there)(?:'ll| will| is)? (?:have |be )?)?no (?:problems?|hard feelings|worries)"
    r"|no doubt(?: about (?:it|that))?|not a problem|why not|can't wait|see you later|how are you)\b"
)
#: Phrases that only lead up to what is said.
_IDLE = (
    r"(?:i|we)(?:'d| would| 'm| am|'m| was| were)?(?: really| just| also| only)? (?:think|believe|guess|hope"
    r"|hoping|suggest|propos(?:e|ing)|offer(?:ing)?|recommend"
    r"|like to (?:propose|suggest|offer))(?: you)?(?: that)?",
    r"(?:you have|i give you) my word that|i swear(?: that)?|first of all|don't you (?:think|agree)",
    r"(?:i|we)(?:'d| would) (?:rather|prefer)(?: that| if)?(?= (?:you|we)\b)",
    r"are you (?:ok|okay|fine|happy|good|cool) with|(?:how|what) about",
    r"what do you (?:say|think)(?: of| about| to| if)?",
    r"how (?:do|would) you (?:feel|think) about",
    r"(?:would|do) you (?:accept|agree to) (?=(?:an? |the )?(?:peace|truce|draw|dmz|alliance|demil|non))",
    r"would you like|would you be (?:ok|willing|up|open|interested|happy) (?:with|to|for|in)",
    r"are you (?:willing|open|ready|up|interested|happy|able|going) (?:to|for|in)",
    r"(?:i(?:'d| would) (?:like|love)|i want|i need|we want)(?: to)?"
    r"(?= (?:you|us|peace|an?|the|your|no|support)\b)",
    r"i ask for|i hope for|i(?:'d| would) appreciate it if|wan(?:t to|na)",
    r"(?:we|i|you|us) (?:can |could )?(?:agree|make sure|ensure)(?: to| that)",
)
_BEGIN = r"((?:^|¶) *(?:(?:so|and|but|well),? )*)"
_DOING = r"(?:convoy|support|help|move|go|hold|stay|keep|attack|fight|take|build|retreat|leave|bounce|ally)"
#: Wordings and the plain words that stand for them.
_REWRITTEN = (
    (r"[`´’‘]", "'"),
    (r"[*_#]+", " "),
    (r"(?:^|(?<=\s))\d{1,2}[.)] +", " ¶ "),
    (r"(->|=>|→|–|—|--+>?)", " - "),
    (
        r",? if (?:(?:that|this|it)(?:'s| is| works| suits)(?: (?:ok|okay|fine|good|all right|alright))?"
        r"(?: (?:with|for|by) you)?|you (?:like|agree|want|don't mind))(?= *(?:[.,;!?]|$))",
        " ",
    ),
    (r"\b((?:rather|prefer)(?: that| if)?) we left\b", r"\1 we leave"),
    (r"\b((?:rather|prefer|appreciate it)(?: that| if)? (?:you|we)) did(?: not|n't)\b", r"\1 not"),
    (COURTESY, " fine "),
    (r"\b(?:two|three|four|\d)[ -]way(?= draw (?:with|between|of)\b)", " "),
    (r"(?<=buffer|. zone) between (?:us|you and me)\b", " "),
    (r"\blet's (?:end (?:the|this) game (?:in|with)|settle for)\b", "we"),
    (r"[.!?]*\?[.!?]*(?=[\s\"”)]|$)", " ¿ ¶ "),
    (r"(?<!\bst)[.!:]+(?=[\s\"”)]|$)", " ¶ "),
    (r"\bi(?:'d| would)? (?:like|love|prefer) to keep\b", "we keep"),
    (
        r"\bi(?: will|'ll)? ([^.,;]+?) (?:if|(?:as|so) long as|provided) you (?:do|will)( the same| too)?\b",
        r"we \1",
    ),
    (
        r"\b(?:do you (?:want|like|wanna)(?: to)?"
        r"|(?:i|we)(?:'m| am| was)?(?: just)? wonder(?:ing)? (?:if|whether))\b",
        " ¿ ",
    ),
    (rf"\b(?:{'|'.join(_IDLE)})(?:(?<= )|\b)", " "),
    (r"\b(?:our|us|the) two (?:nations|countries|powers|empires)\b", "us"),
    (r"\bi(?:'d| would)? (?:like|want|need|love)(?: to (?:have|take|get))?\b", "i get"),
    (
        r"\bi(?: can| will|'ll| would)? (?:guarantee|give|grant|offer) you "
        r"(?!(?:your|my|support|peace|an?|the)\b)",
        "you get ",
    ),
    (r"\bhave no (?:plans?|intentions?|desire|wish) (?:to|of)\b", "not"),
    (r"\b(?:go after|go for|gang up on|take on|take down|eliminate)\b", "fight"),
    (r"\bill (?=[a-z])", "i "),
    (r"\b(?:offer|give) (you|me|us) (?:your |my )?support\b", r"support \1"),
    (rf"\b(i|you|we)(?:'m|'re| am| are) going to (?={_DOING}\b)", r"\1 "),
    (r"\bi(?:'m| am) going to (?=[a-z]{3,}\b)", "i move to "),
    (
        r"\bi(?:'m|'ll|'d|'ve| am| have| will| would)? (?:be )?(?:happy|glad|willing|ready|planning"
        r"|able|decided|promise|intend|plan|pledge|guarantee|commit|swear)(?: you)?"
        r"(?: that i\b| i\b| (not )?to\b)",
        r"i \1",
    ),
    (r"\b(?:let|have|make) us (?:both )?", "we "),
    (r"\bi(?:'ll| will| would|'d)? let you (?=have|take|keep|get)", "you "),
    (r"\b(?:neither|none) of us\b", "we not"),
    (r"\b(?:let's|lets|shall we|can we|could we|should we|why don't we|we should)\b", "we"),
    (r"\b(you|we)(?: both)? (?:promise|agree|guarantee|commit)(?: me)?( not)? to\b", r"\1 \2"),
    # What begins so asks for a fact, or whether somebody will do something.
    (
        rf"{_BEGIN}(?:are|was|were|does|did|has|is(?! (?:peace|an?|it|that|this|there)\b))(?:n't)?\b",
        r"\1whether",
    ),
    (rf"{_BEGIN}(?:(?:do|will|can|shall)\b(?! not)|(?:wo|ca|could|would)n't(?= (?:you|we)\b))", r"\1¿"),
    (r"\b(?:won't|don't|doesn't|can't|shouldn't|wouldn't|isn't|aren't|do not|will not)\b", " not "),
    (r"\b(?:maybe|perhaps|may|could|should|would)\b", " ¿ "),
    (r"\b(?:it is not the case that)\b", " not "),
    (r"(?<=\w)'(?:ll|d|re|ve|m|s)\b|'", " "),
    (
        r"\b(?:in (?:exchange|return)(?: for)?|(?:provided|assuming|on condition)(?: that)?|(?:as|so) long as"
        r"|as soon as|only if)\b",
        " if ",
    ),
    (r"\bnon[ -]aggression\b", " nonaggression "),
    (r"\bin holding\b", " hold "),
    (r"/(?!\s*(?:[nsew]{1,2}cs?\b|(?:north|south|east|west)))", " "),
    (r"\s+", " "),
)
_TOKENS = re.compile(r"[^\W_]+|\S")
#: The words to which others are corrected: none that joins, turns or denies a clause.
_CORRECTED = {word for word, key in KEYS.items() if key not in ("NOT", "AND", "OR", "IF", "AFTER", "SAID")}
_PHASE = re.compile(r"[SFW]\d{1,4}[MRA]|\d{1,4}")
_ADJECTIVE = re.compile(r"(\w{2,})(?:ISH|IAN|ESE|ENCH|MAN|UTCH|KS)S?")


class Words:
    """The words of a text in lower case, in capitals, without fillers; `keys` has the key of each, if any.

    Raises BordeauxError for a text that is too long.
    """

    def __init__(self, text: str, map: Map) -> None:
        self.map = map
        if len(text) > LONGEST:
            raise BordeauxError(f"it is longer than {LONGEST} characters")
        self._cursor = Cursor("", map)
        self._names = {word for name in self._cursor.names.by_words for word in name}
        self._powers = {name.upper(): power for power, tag in map.tags.items() for name in (power, tag)}
        self._text = text
        for name in (province.full.lower() for province in map.provinces if "'" in province.full):
            # ``Rook's Head``: no genitive.
            text = text.replace(name, name.replace("'", " "))
        plain, origin = _rewritten(text)
        self.words: list[str] = []
        #: Where each word begins in the text.
        self._begins: list[int] = []
        #: Before which words the text asks, or says ``maybe``.
        self.asked: list[int] = []
        for match in _TOKENS.finditer(plain):
            word = self._known(match[0].upper())
            if word in ("¿", "?"):
                self.asked.append(len(self.words))
            elif word not in FILLERS or word in self._names:
                self.words.append(word)
                self._begins.append(origin[match.start()])
        self._cursor.tokens = self.words
        self.keys = [KEYS.get(word, "") for word in self.words]

    def __len__(self) -> int:
        return len(self.words)

    def key(self, at: int, *keys: str) -> bool:
        """Whether one of these keys is at a place in the text."""
        return 0 <= at < len(self.words) and self.keys[at] in keys

    def skip(self, at: int, *keys: str) -> int:
        """The place after all of these keys that follow a place."""
        while self.key(at, *keys):
            at += 1
        return at

    def power(self, at: int) -> tuple[str, int] | None:
        """The power named at a place, and the place after it."""
        for end in (at + 3, at + 2, at + 1):
            power = self._powers.get(" ".join(self.words[at:end])) if end <= len(self.words) else None
            if power is not None:
                return power, end
        return None

    def place(self, at: int) -> tuple[Place, int] | None:
        """The province named at a place, with its coast, and the place after it."""
        coast = COASTS.get(self.words[at], "") if at < len(self.words) else ""
        begin = self.skip(at + 1, "COAST", "OF") if coast else at
        self._cursor.at = begin
        if self._cursor.at_place():
            place = self._cursor.place()
            # ``north`` may be the coast of what follows, or the first word of its name.
            if coast and not place.coast:
                place = place._replace(coast=coast) if coast in place.province.coasts else place
            if begin == at or place.coast:
                return place, self._cursor.at
        self._cursor.at = at
        return (self._cursor.place(), self._cursor.at) if coast and self._cursor.at_place() else None

    def quote(self, at: int, end: int) -> str:
        """The words between two places, as they were written."""
        begins = [*self._begins, len(self._text)]
        return self._text[begins[at] : begins[end]].strip(" .,;:!?")

    def _known(self, word: str) -> str:
        """The word, or the one name that it begins, or the one known word of which it is a misspelling."""
        if word in KEYS or word in FILLERS or word in self._names or word in self._powers:
            return word
        if _PHASE.fullmatch(word) or word == "/" or word in COASTS:
            return word
        if (power := self._nationality(word)) is not None:
            return power
        parts = {part for name in self._powers for part in name.split()}
        names = {*self._names, *parts}
        if word in parts or len(word) < LEAST_COMPLETED:
            return word
        alike = [name for name in names if name.startswith(word)]
        if not alike and len(word) >= LEAST_CORRECTED:
            alike = [known for known in {*_misspelt(word)} if known in _CORRECTED or known in names]
        return alike[0] if len(alike) == 1 else word

    def _nationality(self, word: str) -> str | None:
        """The power of an adjective: ``French``, ``Turkish``, ``Austrians``."""
        match = _ADJECTIVE.fullmatch(word)
        if match is None or word in self._names:
            return None
        least = 2 if "ENCH" in word else 3
        alike = [power for power in self.map.powers if power[:4] == word[:4]]
        alike = alike or [power for power in self.map.powers if power[:least] == word[:least]]
        return self.map.tags[alike[0]] if len(alike) == 1 else None


def _misspelt(word: str) -> Iterator[str]:
    """The words of which a word may be a misspelling: neighbours exchanged, a letter doubled or not, or one
    of like sound. Other differences make other words: ``place`` of ``peace``, ``moved`` of ``move``."""
    for at in range(1, len(word)):
        before, letter, behind = word[:at], word[at], word[at + 1 :]
        yield before + behind[:1] + letter + behind[1:]
        yield before + letter + letter + behind
        if letter == word[at - 1]:
            yield before + behind
        yield from (before + other + behind for alike in _ALIKE if letter in alike for other in alike)


def _rewritten(text: str) -> tuple[str, list[int]]:
    """A text in plainer words, and the place in the text where each of its characters comes from."""
    origin = list(range(len(text) + 1))
    for pattern, instead in _REWRITTEN:
        pieces: list[str] = []
        places: list[int] = []
        at = 0
        for match in re.finditer(pattern, text):
            new = match.expand(instead)
            pieces += text[at : match.start()], new
            places += [*origin[at : match.start()], *[origin[match.start()]] * len(new)]
            at = match.end()
        text, origin = "".join((*pieces, text[at:])), [*places, *origin[at:]]
    return text, origin
