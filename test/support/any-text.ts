// Texts of any characters, and names that every JavaScript object has. The library's own texts
// list all characters of Unicode first, which takes most of a second in each process.

import fc from 'fast-check'

const character = fc
  .oneof(fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((point) => String.fromCodePoint(point))

export const anyText = fc.oneof(
  { weight: 5, arbitrary: fc.string({ unit: character, maxLength: 30 }) },
  fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'length', 'key'),
)
