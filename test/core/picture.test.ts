// The bytes of a picture that may be shown: two types, complete, of a size that a page can show.

import { describe, expect, it } from 'vitest'
import { MOST_PICTURE_BYTES, readPicture } from '../../src/core/picture.ts'
import { chunk, jpegOf, pngOf } from '../support/pictures.ts'

const END = chunk('IEND', Buffer.alloc(0))

function padded(bytes: number): Buffer {
  const rest = bytes - pngOf().length - 12
  return Buffer.concat([
    pngOf().subarray(0, -END.length),
    chunk('tEXt', Buffer.alloc(rest, 65)),
    END,
  ])
}

describe('a picture', () => {
  it.each([
    ['a PNG', pngOf(), { kind: 'png', width: 320, height: 96 }],
    ['the smallest', pngOf(16, 16), { kind: 'png', width: 16, height: 16 }],
    ['the largest', pngOf(1024, 1024), { kind: 'png', width: 1024, height: 1024 }],
    ['64 kB', padded(MOST_PICTURE_BYTES), { kind: 'png', width: 320, height: 96 }],
    ['a JPEG', jpegOf(), { kind: 'jpeg', width: 320, height: 96 }],
  ])('is %s', (_what, bytes, picture) => {
    expect(readPicture(bytes)).toEqual(picture)
  })

  const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['an SVG', Buffer.from(svg)],
    ['a GIF', Buffer.from('474946383961400040000000003b', 'hex')],
    ['a WebP', Buffer.from('RIFF\x20\0\0\0WEBPVP8 ', 'latin1')],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a byte more than 64 kB', padded(MOST_PICTURE_BYTES + 1)],
    ['too narrow', pngOf(15, 100)],
    ['too wide', pngOf(1025, 100)],
    ['too wide a JPEG', jpegOf(1025, 100)],
    ['without a height', jpegOf(100, 0)],
    ['a PNG that was cut off', pngOf().subarray(0, -1)],
    ['a PNG whose end is missing', pngOf().subarray(0, -END.length)],
    ['a PNG with something behind it', Buffer.concat([pngOf(), Buffer.from(svg)])],
    ['a PNG that begins with something else', pngOf().subarray(8)],
    ['the first bytes of a PNG', pngOf().subarray(0, 8)],
    [
      'a PNG whose chunk is endless',
      Buffer.concat([pngOf().subarray(0, 33), Buffer.alloc(12, 255)]),
    ],
    ['a JPEG that was cut off', jpegOf().subarray(0, -2)],
    ['a JPEG without a size', Buffer.from('ffd8ffe00010ffda0008ffd9', 'hex')],
    [
      'a JPEG of fill bytes',
      Buffer.concat([
        Buffer.from('ffd8', 'hex'),
        Buffer.alloc(60_000, 255),
        Buffer.from('ffd9', 'hex'),
      ]),
    ],
    ['a JPEG whose segment has no length', Buffer.from('ffd8ffe00000ffe00000ffe00000ffd9', 'hex')],
  ])('is not %s', (_what, bytes) => {
    expect(readPicture(bytes)).toBeUndefined()
  })

  it('is checked at once, whatever it contains', () => {
    const chunks = Array.from({ length: 5_000 }, () => chunk('tEXt', Buffer.alloc(0)))
    const many = Buffer.concat([pngOf().subarray(0, -END.length), ...chunks, END])
    const zeros = Buffer.alloc(MOST_PICTURE_BYTES)
    jpegOf().subarray(0, 20).copy(zeros)
    const before = performance.now()
    expect(readPicture(many)).toEqual({ kind: 'png', width: 320, height: 96 })
    expect(readPicture(zeros)).toBeUndefined()
    expect(performance.now() - before).toBeLessThan(100)
  })
})
