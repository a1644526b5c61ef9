// The progress of long work is shown on a terminal, and nowhere else.

import { describe, expect, it } from 'vitest'
import { openProgress } from '../../src/cli/progress.ts'

const CLEAR = '\r\u001b[K'

/** The output while ten steps are done one after the other. */
function written(output: { readonly isTTY?: boolean; readonly columns?: number }, name: string) {
  const texts: string[] = []
  const { report, end } = openProgress({ ...output, write: (one) => texts.push(one) }, name)
  for (const done of [0, 5, 5, 10]) report({ done, of: 10 })
  end()
  return texts
}

describe('progress', () => {
  it('is a bar on a terminal, and leaves nothing behind', () => {
    const bar = (full: number) => `[${'#'.repeat(full)}${'.'.repeat(30 - full)}]`
    expect(written({ isTTY: true }, 'it')).toEqual([
      `${CLEAR}${bar(0)} 0 of 10  it`,
      `${CLEAR}${bar(15)} 5 of 10  it`,
      `${CLEAR}${bar(30)} 10 of 10  it`,
      CLEAR,
    ])
  })

  it('writes nothing if a file or a program reads its output', () => {
    expect(written({}, 'it')).toEqual([])
  })

  it("stays on its line in a narrow terminal, however long a merchant's name", () => {
    for (const text of written({ isTTY: true, columns: 50 }, `\u001b[2J${'東'.repeat(200)}\n`)) {
      const line = text.replace(CLEAR, '')
      expect(line).not.toMatch(/\p{Cc}/u)
      expect(line.length).toBeLessThan(50)
    }
  })
})
