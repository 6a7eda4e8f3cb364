"""Bytes that are sent to do harm: long, deep, compressed, or in no letters at all."""

import zlib

from rules.records.formats import MAX_BYTES

DIGITS = b"9" * 100_000
ROW = b"3 point match\n Game 1\n A : 0 B : 0\n  1) "
ROOT = b"(;GM[6]MI[length:3][ws:0]PW[A]PB[B]"

HOSTILE = {
    "empty": b"",
    "10 MB of one line": b"x" * 10_000_000,
    "one line as long as may be": b"5 point match" * (MAX_BYTES // 13),
    "a play of 10 MB": ROW + b"31: " + b"8/5 " * 2_500_000,
    "a move of 10 MB": ROOT + b";W[" + b"3" * 10_000_000,
    "a million opening parentheses": b"(" * 1_000_000,
    "a million opening trees": b"(;" * 1_000_000 + b")" * 1_000_000,
    "opening parentheses": b"(" * 900_000,
    "opening trees": b"(;" * 450_000,
    "closing parentheses": b")" * 900_000,
    "nested trees": b"(;A[]" * 100_000 + b")" * 100_000,
    "nodes": b"(" + b";" * 3_900_000 + b")",
    "games": b"(;GM[6])" * 480_000,
    "200,000 games": b"999 point match\n" + b"".join(b"Game %d\nA:0 B:0\n" % game for game in range(1, 200_001)),
    "as many games as fit": b"999 point match\n"
    + b"".join(b"Game %d\nA : 0 B : 0\n" % game for game in range(1, 36_000)),
    "200,000 games of SGF": b"".join(b"(;GM[6]MI[length:999][game:%d])" % game for game in range(200_000)),
    "digits of a length": DIGITS + b" point match\n",
    "digits of a game": b"3 point match\n Game " + DIGITS,
    "digits of a score": b"3 point match\n Game 1\n A : " + DIGITS + b" B : 0\n",
    "digits of a row": ROW[:-3] + DIGITS + b") 31: 8/5 6/5\n",
    "digits of a cube": ROW + b"Doubles => " + DIGITS,
    "digits of points": ROW + b"Wins " + DIGITS + b" points",
    "digits of a point": ROW + b"31: " + DIGITS + b"/5 6/5",
    "digits of an SGF length": b"(;GM[6]MI[length:" + DIGITS + b"]PW[A]PB[B])",
    "digits of an SGF score": ROOT.replace(b"0", DIGITS) + b";W[31hefe])",
    "digits of an SGF move": ROOT + b";W[" + DIGITS + b"])",
    "digits of an SGF result": ROOT + b"RE[W+" + DIGITS + b"];W[31hefe])",
    "a name of 2 MB": ROOT.replace(b"A", b"A" * 2_000_000) + b";W[31hefe])",
    "properties": b"(;" + b"A[]" * 1_300_000 + b")",
    "values": b"(;A" + b"[]" * 1_900_000,
    "escapes": b"(;C[" + b"\\]" * 1_900_000,
    "an open value": b"(;GM[6]C[" + b"[" * 3_900_000,
    "letters": b"(;" + b"A" * 3_900_000,
    "blanks": b"(" + b" " * 3_900_000 + b";",
    "doubles": b"(;GM[6]MI[length:3]" + b";W[double];B[take]" * 60_000 + b")",
    "set-ups": b"(;GM[6]MI[length:3]" + b";PL[W]DI[31];B[double]C[????]" * 90_000 + b"x)",
    "NUL bytes": b"\x00" * 900_000,
    "NUL in a name": b"(;GM[6]MI[length:3]PW[\x00])",
    "UTF-16 of a .mat, without its mark": ROW.decode().encode("utf-16")[2:],
    "half a letter of UTF-16": "(;GM[6]MI[length:3]PW[A]PB[B])".encode("utf-16")[:-1],
    "UTF-16 of 4 MB": ("9" * 1_999_000).encode("utf-16"),
    "half a letter": b"(;GM[6]CA[UTF-8]MI[length:3]PW[\xc3])",
    "line ends": b"\r\n" * 450_000,
    "a zip bomb": b"PK\x03\x04" + zlib.compress(bytes(10_000_000)),
    "a compressed bomb": b"RGMH" + zlib.compress(bytes(10_000_000)),
    "a gzip bomb": b"\x1f\x8b" + zlib.compress(bytes(10_000_000)),
    "a page": b"<!doctype html><html><body>(;not found)</body></html>",
    "rows": b"3 point match\n Game 1\n A : 0 B : 0\n" + b"66: 8/2 8/2 8/2 8/2 " * 40_000,
    "illegal plays": b"3 point match\n Game 1\n A : 0 B : 0\n  1) 66: Illegal play (" + b"0;" * 400 + b")",
}


def most_steps(data):
    """The most characters that may be read or copied to refuse these bytes: a few passes over them."""
    return 8 * len(data) + 20_000
