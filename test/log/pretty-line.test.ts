// The log in the form for people at a terminal.

import { describe, expect, it } from 'vitest'
import { colourPaint, plainPaint } from '../../src/core/paint.ts'
import { logPaint, openLog } from '../../src/log.ts'

function shown(about: object, message: string, paint = plainPaint): string {
  const lines: string[] = []
  openLog('info', { write: (line: string) => void lines.push(line) }, paint).warn(about, message)
  return lines.join('').replace(/\d\d:\d\d:\d\d\.\d{3}Z/, 'TIME')
}

describe('a line', () => {
  it('has the time, the level, the message and its fields', () => {
    const about = { address: 'http://127.0.0.1:3000', queues: ['charge', 'refund'], waitMs: 12 }
    expect(shown({ ...about, why: 'two words' }, 'the queue store is away')).toBe(
      'TIME WARN  the queue store is away address=http://127.0.0.1:3000 ' +
        'queues=["charge","refund"] waitMs=12 why="two words"\n',
    )
  })

  it('is followed by the stack of its error, and by the causes', () => {
    const err = new Error('it failed', { cause: new Error('it broke') })
    const [first, second, ...rest] = shown({ err }, 'not done').trimEnd().split('\n')
    expect([first, second]).toEqual(['TIME WARN  not done', '    Error: it failed'])
    expect(rest[0]).toContain('pretty-line.test.ts')
    expect(rest.at(-1)).toBe('    caused by Error: it broke')
  })

  it('moves no cursor, and stays one line, whatever a customer wrote', () => {
    const evil = 'Ada\u001b[2J\r\n00:00:00.000Z INFO  all is well\u009b1m'
    const text = shown({ [evil]: evil, name: evil }, evil)
    expect(text.trimEnd()).not.toMatch(/\p{Cc}/u)
    expect(text).toContain('name="Ada')
  })

  it('has colours if the terminal has', () => {
    expect(shown({}, 'x', colourPaint)).toContain('\u001b[33mWARN \u001b[39m x')
    expect(shown({}, 'x')).not.toContain('\u001b')
  })
})

describe('the form', () => {
  it.each([
    ['auto', true, true],
    ['auto', false, false],
    ['json', true, false],
    ['pretty', false, true],
  ] as const)('%s, on a terminal: %s, is for people: %s', (logFormat, isTTY, isPretty) => {
    expect(logPaint({ logFormat }, { isTTY }) !== undefined).toBe(isPretty)
  })
})
