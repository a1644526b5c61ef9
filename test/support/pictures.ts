// Pictures of a given size, with as few bytes as possible: logos that a merchant uploads.

import { crc32, deflateSync } from 'node:zlib'

/** A PNG in one grey. */
export function pngOf(width = 320, height = 96, grey = 90): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.writeUInt8(8, 8)
  const rows = Buffer.alloc((width + 1) * height, grey)
  for (let y = 0; y < height; y += 1) rows.writeUInt8(0, y * (width + 1))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

export function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** The segments of a JPEG that a reader needs for its size. */
export function jpegOf(width = 320, height = 96): Buffer {
  const frame = Buffer.from('ffc0000b0800000000010111 00'.replaceAll(' ', ''), 'hex')
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  const jfif = Buffer.from('ffe000104a46494600010100000100010000', 'hex')
  const scan = Buffer.from('ffda0008010100003f00', 'hex')
  return Buffer.concat([Buffer.from('ffd8', 'hex'), jfif, frame, scan, Buffer.from('ffd9', 'hex')])
}
