"""Bytes of arrays read, compared and written many at a time, where a loop would be compiled to one at a time.

Nothing is checked, and what lies beside the bytes that are meant is read and written too, where it says so. What is compiled is
written in LLVM's language; where nothing is compiled (NUMBA_DISABLE_JIT), its twin in Python takes its place.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from hansa_env.engine.compile import config, inner

WORD, VECTOR, LINE = 8, 16, 64  # bytes that nearly every processor moves at once, and those that its cache does
_BYTE, _NUMBER, _WORD = ir.IntType(8), ir.IntType(32), ir.IntType(64)
_BYTES_OF_WORD, _WORDS = ir.VectorType(_BYTE, WORD), ir.VectorType(_WORD, WORD)
_START = ir.Constant(_WORD, 0)


def _read_word(array, index):
    """The 8 bytes from `index` on of an array, whatever its shape, as one number; the first is the lowest."""
    return int.from_bytes(array.reshape(-1)[index : index + WORD].tobytes(), "little")


def _write_columns(array, index, step, a, b, c, d, e):
    """Write five words as columns: the i-th byte of each, side by side, from array[index + step * i] on.

    Each of the eight rows is written as a word, so three bytes behind it become 0; the row that follows covers them.
    """
    for row in range(WORD):
        for column, word in enumerate((a, b, c, d, e, 0, 0, 0)):
            array[index + step * row + column] = word >> 8 * row & 255


def _copy_row(field, row, array, index):
    """Copy a row of a game's field, its last axis, to array[index] and behind, with up to 15 bytes that follow it."""
    length = field.shape[-1]
    array[index : index + length] = field.reshape(-1, length)[row]


def _places_of(field, value):
    """The places of a game's field of at most 64 bytes that hold a value, as a bit set."""
    return np.int64(sum(1 << int(i) for i in np.flatnonzero(field == value)))


def _fetch(array, byte):
    """Have the cache line of a byte of an array brought, to be written to, while something else goes on."""


def _pointer(context: Any, builder: Any, kind: Any, array: Any, index: Any, to: Any) -> Any:
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), to.as_pointer())


def _load(builder: Any, pointer: Any) -> Any:
    value = builder.load(pointer)
    value.align = 1
    return value


def _store(builder: Any, value: Any, pointer: Any) -> None:
    builder.store(value, pointer).align = 1


def _read_word_code(typing, array, index):
    def code(context, builder, signature, arguments):
        source, index = arguments
        return _load(builder, _pointer(context, builder, array, source, index, _WORD))

    return types.int64(array, types.int64), code


def _write_columns_code(typing, array, index, step, a, b, c, d, e):
    def code(context, builder, signature, arguments):
        target, index, step, *words = arguments
        rows = ir.Constant(_WORDS, [0] * WORD)
        for place, word in enumerate(words):
            column = builder.zext(builder.bitcast(word, _BYTES_OF_WORD), _WORDS)
            rows = builder.or_(rows, builder.shl(column, ir.Constant(_WORDS, [8 * place] * WORD)))
        for row in range(WORD):
            word = builder.extract_element(rows, ir.Constant(_NUMBER, row))
            _store(builder, word, _pointer(context, builder, array, target, index, _WORD))
            index = builder.add(index, step)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64, *[types.int64] * 5), code


def _copy_row_code(typing, field, row, array, index):
    length = field.shape[-1]
    vector = ir.VectorType(_BYTE, -(-length // VECTOR) * VECTOR)

    def code(context, builder, signature, arguments):
        source, row, target, index = arguments
        start = builder.mul(row, ir.Constant(_WORD, length))
        entries = _load(builder, _pointer(context, builder, field, source, start, vector))
        _store(builder, entries, _pointer(context, builder, array, target, index, vector))
        return context.get_dummy_value()

    return types.void(field, types.int64, array, types.int64), code


def _places_of_code(typing, field, value):
    count = prod(field.shape)
    vector = ir.VectorType(_BYTE, count)

    def code(context, builder, signature, arguments):
        source, value = arguments
        anything, first = ir.Constant(vector, ir.Undefined), ir.Constant(ir.VectorType(_NUMBER, count), [0] * count)
        one = builder.insert_element(anything, value, ir.Constant(_NUMBER, 0))
        wanted = builder.shuffle_vector(one, anything, first)
        found = builder.icmp_signed("==", _load(builder, _pointer(context, builder, field, source, _START, vector)), wanted)
        return builder.zext(builder.bitcast(found, ir.IntType(count)), _WORD)

    return types.int64(field, types.int8), code


def _fetch_code(typing, array, byte):
    def code(context, builder, signature, arguments):
        kinds = [_BYTE.as_pointer(), _NUMBER, _NUMBER, _NUMBER]
        prefetch = builder.module.declare_intrinsic("llvm.prefetch", kinds[:1], ir.FunctionType(ir.VoidType(), kinds))
        data = builder.bitcast(context.make_array(array)(context, builder, arguments[0]).data, kinds[0])
        to_write, nearest_cache, data_not_code = (ir.Constant(_NUMBER, option) for option in (1, 3, 1))
        builder.call(prefetch, [builder.gep(data, [arguments[1]]), to_write, nearest_cache, data_not_code])
        return context.get_dummy_value()

    return types.void(array, types.int64), code


def _either(python: Any, code: Any) -> Any:
    return python if config.DISABLE_JIT else intrinsic(code)


read_word = _either(_read_word, _read_word_code)
write_columns = _either(_write_columns, _write_columns_code)
copy_row = _either(_copy_row, _copy_row_code)
places_of = _either(_places_of, _places_of_code)
fetch = _either(_fetch, _fetch_code)


@inner
def fetch_row(array, row, size):
    """Have a row of `size` bytes brought at once, not line by line as they are come to: that of a large batch is far away."""
    for byte in range(row * size, (row + 1) * size, LINE):
        fetch(array, byte)
