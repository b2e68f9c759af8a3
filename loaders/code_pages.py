"""The code page of bytes that are not UTF-8, by the letters that it makes of them."""

import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import lru_cache
from math import log, log1p

_Letters = Mapping[str, Collection[str]]

# The letters of languages, in lower case, that are not ASCII, the most frequent ones first.
_CENTRAL_EUROPE = ("łęąóżśćńź", "íáéěýčšřžůúňóťď", "áíéýčšžľťúóňôäďĺŕ", "áéöóőíüúű", "čšžćđ", "ăîţşâ")
_WESTERN = ("üäößé", "éèàêçôâîûùïœë", "óíáéñúü", "ãçáéíóêõúâàôü", "äöåé", "øåæé", "àèùòìé", "óéèàíçòúïü·", "áíðöéóþúýæ")
_ALPHABETS: _Letters = {
    **dict.fromkeys(("cp1252", "iso8859_15", "macintosh", "cp850"), (*_WESTERN, "éëïöü", "äõüöšž")),
    "cp1250": _CENTRAL_EUROPE,
    "cp1254": ("ıüşöçğ\u0307âî",),
    "iso8859_2": _CENTRAL_EUROPE,
    "cp1257": ("ėųšūžįąčę", "āīēšķņūļžģč", "äõüöšž"),
}
# Of languages whose alphabet is that of several code pages, or too long; of Asian ones, those of buildings and menus.
_FREQUENT_LETTERS: _Letters = {
    **dict.fromkeys(("cp1251", "koi8_r", "cp866", "iso8859_5"), ("оеаинтсрвл",)),
    "cp1253": ("αοιετσνηυράέήίό",),
    "cp1255": ("יוהלארתמבש",),
    "cp1256": ("اليمنورتبة",),
    "cp874": ("านรอกเงยลม",),
    "gbk": ("馆楼学院大图书教公寓食堂体育中心实验第一二三四宿舍餐厅日期菜品名称早午晚肉鸡鱼饭面汤牛豆腐蛋炒红烧水总",),
    "big5": ("館樓學院大圖書教公寓食堂體育中心實驗第一二三四宿舍餐廳日期菜品名稱早午晚肉雞魚飯麵湯牛豆腐蛋炒紅燒水總",),
    "euc_kr": ("관대학교도서실동건물명주소식당메뉴밥국김치찌개볶음면고기닭돼지불비빔선두부계란된장공원회체육숙사중앙",),
    **dict.fromkeys(("shift_jis", "euc_jp"), ("館棟学院図書食堂体育号室朝昼夕肉魚定飯のんうきりーンルカレイスラトア",)),
}
_MIN_SHARES = (0.9, 0.25)
# Logarithms of how unlikely other letters are, and how much likelier than cp1252 others must be.
_OTHER_LETTER, _MIN_ADVANTAGE = log(1000), log(300)
_BYTE, _RUN = re.compile(rb"[\x80-\xff]"), re.compile(rb"[\x80-\xff]{2,}")
_WORD = re.compile(r"[^\W\d_]+")
# Letters of cp1252 with which no word of its languages ends, and those and signs that are not within one.
_NO_WORD = re.compile(r"[âîþ]\b|(?<=[^\W\d_])š(?=[a-z])")
_SIGN_IN_WORD = re.compile(r"(?<=[^\W\d_])[„”…§°«»¡](?=[^\W\d_])")
_SIGNS = frozenset("–—‘’“”„…•°§®™«»¿¡€\xa0")
_UTF_8, _ESCAPED = re.compile(r"[^\x00-\x7f\udc80-\udcff]"), re.compile(r"[\udc80-\udcff]")


# A load opens an export several times.
@lru_cache(maxsize=16)
def code_page(content: bytes, western: str | None = None, utf_8: str | None = None) -> str | None:
    """Return the code page in which bytes have words of a language, `western` for cp1252, `utf_8` if it may be that."""
    content = content[: content.rfind(b"\n") + 1] or content
    escaped = content.decode(errors="surrogateescape")
    valid = len(_UTF_8.findall(escaped))
    # Of text that is mostly UTF-8, another encoding would garble the most.
    if valid >= len(_ESCAPED.findall(escaped)):
        return None if content.isascii() else utf_8
    # In Latin alphabets, most letters around one with an accent are ASCII.
    is_latin = 2 * sum(map(len, _RUN.findall(content))) < len(_BYTE.findall(content))
    for pages, min_share in zip((_ALPHABETS, {} if is_latin else _FREQUENT_LETTERS), _MIN_SHARES, strict=True):
        if likely := _likelihoods(content, pages, min_share):
            best = max(likely, key=lambda page: likely[page])
            if best != "cp1252":
                return best
            return None if valid else western
    return None


def wide_encoding(content: bytes) -> str | None:
    """Return the encoding of the first bytes of UTF-16 or UTF-32, by a byte order mark or by null bytes, else None."""
    if content.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        return "utf-32"
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    big, little = content[::2].count(0), content[1::2].count(0)
    # Even in Chinese, delimiters and digits have them, and few letters in their other byte.
    is_utf_16 = max(big, little) > max(4 * min(big, little), len(content) / 16)
    return ("utf-16-be" if big > little else "utf-16-le") if is_utf_16 else None


def needed_encoding(page: str) -> str:
    """Return what is to be done about text in a code page."""
    # A few letters may make words in both.
    doubt = ', or "cp850" if its accents are wrong' if page == "macintosh" else ""
    return f'looks like {page}: the profile needs encoding = "{page}"{doubt}'


def _likelihoods(content: bytes, pages: _Letters, min_share: float) -> dict[str, float]:
    """Return the likelihood of the letters of each code page of which one language has this share, as a logarithm.

    The second letter of a language is half as likely as its first one, the third one a third.
    """
    likelihoods = {}
    for page, languages in pages.items():
        with suppress(UnicodeError):
            text = " ".join({*content.decode(page).split()})
            signs = sum(each in _SIGNS for each in text)
            number = max(sum(not each.isascii() for each in text) - signs, signs, 1)
            number += len(_SIGN_IN_WORD.findall(text))
            # A word has no capital letters but the first one, or only capital letters.
            words = [each for each in _WORD.findall(text) if each in (each.lower(), each.upper(), each.capitalize())]
            letters = "".join(words).lower()
            known = ([each.index(letter) for letter in letters if letter in each] for each in languages)
            ranks = max(known, key=lambda ranks: (len(ranks), -sum(ranks)))
            if len(ranks) >= min_share * number:
                likelihoods[page] = -_OTHER_LETTER * (number - len(ranks)) - signs - sum(map(log1p, ranks))
                if page == "cp1252":
                    likelihoods[page] += _MIN_ADVANTAGE - _OTHER_LETTER * len(_NO_WORD.findall(text))
    return likelihoods
