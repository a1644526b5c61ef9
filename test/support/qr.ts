// Reads a QR code as a phone does, without the corrections that a camera needs: the modules of an
// SVG are exact.

import { encode, QrCodeDataType } from 'uqr'

/** The data codewords of the blocks of one symbol, by version, at error correction level M. */
const BLOCKS: Readonly<Record<number, readonly number[]>> = {
  3: [44],
  4: [32, 32],
  5: [43, 43],
  6: [27, 27, 27, 27],
}

/** The modules that a mask inverts, by the number of the mask. */
const MASKS: readonly ((row: number, column: number) => boolean)[] = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
]

const FORMAT_MASK = 0b101010000010010
const BYTES_MODE = 4

type Grid = readonly (readonly boolean[])[]

/** The text in a code of bytes, versions 3 to 6. */
export function readQrCode(svg: string, pixelSize: number, quietZone: number): string {
  const grid = gridOf(svg, pixelSize, quietZone)
  const version = (grid.length - 17) / 4
  const bits = bitsOf(grid, version, maskOf(grid))
  const bytes = deinterleaved(codewordsOf(bits), BLOCKS[version] ?? [])
  const stream = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const mode = Number.parseInt(stream.slice(0, 4), 2)
  if (mode !== BYTES_MODE) throw new Error(`not a code of bytes: ${mode}`)
  const length = Number.parseInt(stream.slice(4, 12), 2)
  return Buffer.from(codewordsOf(stream.slice(12, 12 + 8 * length))).toString()
}

/** The modules, without the white margin. */
function gridOf(svg: string, pixelSize: number, quietZone: number): Grid {
  const [, side] = /viewBox="0 0 (\d+) \1"/.exec(svg) ?? []
  const size = Number(side) / pixelSize - 2 * quietZone
  const dark = new Set([...svg.matchAll(/M(\d+),(\d+)h/g)].map(([, x, y]) => `${x} ${y}`))
  const place = (i: number) => (i + quietZone) * pixelSize
  const grid = Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (_, column) => dark.has(`${place(column)} ${place(row)}`)),
  )
  if (grid.flat().filter(Boolean).length !== dark.size) throw new Error('dark beyond the code')
  return grid
}

/** The number is beside the upper left corner. */
function maskOf(grid: Grid): number {
  const columns = [0, 1, 2, 3, 4, 5, 7, 8]
  const first = columns.map((column) => (grid[8]?.[column] === true ? '1' : '0')).join('')
  const format = Number.parseInt(first.padEnd(15, '0'), 2) ^ FORMAT_MASK
  return (format >> 10) & 7
}

/** Two columns at a time, from the right, up and down in turn. */
function bitsOf(grid: Grid, version: number, mask: number): string {
  const size = grid.length
  // The fixed patterns of a version do not depend on its text.
  const { types } = encode('x', { minVersion: version, maxVersion: version, border: 0 })
  const isMasked = MASKS[mask] ?? (() => false)
  let bits = ''
  let isUpward = true
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    for (let i = 0; i < size; i += 1) {
      const row = isUpward ? size - 1 - i : i
      for (const column of [right, right - 1]) {
        if (types[row]?.[column] !== QrCodeDataType.Data) continue
        bits += (grid[row]?.[column] === true) !== isMasked(row, column) ? '1' : '0'
      }
    }
    isUpward = !isUpward
  }
  return bits
}

function codewordsOf(bits: string): number[] {
  return (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
}

/** Blocks of one length alternate, codeword by codeword. */
function deinterleaved(codewords: readonly number[], lengths: readonly number[]): number[] {
  const blocks = lengths.map((length, block) =>
    Array.from({ length }, (_, i) => codewords[i * lengths.length + block] ?? 0),
  )
  return blocks.flat()
}
