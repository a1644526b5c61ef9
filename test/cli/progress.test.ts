// How far long work has come: shown to a person who looks on, and to nobody else.

import { describe, expect, it } from 'vitest'
import { openProgress } from '../../src/cli/progress.ts'

const CLEAR = '\r\u001b[K'

/** What is written while ten steps are done one after the other. */
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

  it('is nothing where a file or a program reads', () => {
    expect(written({}, 'it')).toEqual([])
  })

  it('stays on its line in a narrow terminal, whatever a merchant is called', () => {
    for (const text of written({ isTTY: true, columns: 50 }, `\u001b[2J${'東'.repeat(200)}\n`)) {
      const line = text.replace(CLEAR, '')
      expect(line).not.toMatch(/\p{Cc}/u)
      expect(line.length).toBeLessThan(50)
    }
  })
})
