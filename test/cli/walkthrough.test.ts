// What docs/walkthrough.md tells a newcomer to paste is pasted, as it stands there, and what it says
// that one sees is seen.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  blocksOf,
  type LogLine,
  lastAnswer,
  type Newcomer,
  openNewcomer,
} from '../support/paste.ts'

const DOCUMENT = join(import.meta.dirname, '../../docs/openapi.json')
const START_MS = 120_000
const LONG = { timeout: 300_000 }
const PATIENCE = { timeout: 20_000, interval: 50 }

/** Asked in the walk, but too often by others to be worth a line in the log. */
const NOT_LOGGED = ['GET /healthz', 'GET /readyz', 'GET /metrics']

interface Step {
  readonly script: string
  /** What the last answer of the script holds; undefined where nothing is said of it. */
  readonly seen: unknown
}

let newcomer: Newcomer

beforeAll(async () => {
  newcomer = await openNewcomer()
}, START_MS)

afterAll(() => newcomer.leave())

describe('the walk through the API', LONG, () => {
  it('can be pasted as it is, shows what it says, and calls every operation', async () => {
    const steps = await stepsOf('docs/walkthrough.md')
    const { status, outputs, err } = await newcomer.paste(steps.map(({ script }) => script))
    const last = outputs.at(-1)
    expect({ status, err, last }).toEqual({
      status: 0,
      err: expect.not.stringMatching(/not found|syntax|unbound/i),
      last,
    })
    expect(outputs).toHaveLength(steps.length)
    for (const [index, { script, seen }] of steps.entries()) {
      if (seen === undefined) continue
      expect({ script, seen: lastAnswer(outputs[index] ?? '') }).toEqual({
        script,
        seen: matching(seen),
      })
    }
    // The log comes a moment after the answers.
    await vi.waitFor(async () => {
      expect(await leftOut()).toEqual({ notAsked: [], onlyRefused: [] })
    }, PATIENCE)
  })
})

describe('what a step shows', () => {
  it('is held to what the document says of it, as a control', () => {
    const answer = { id: 'a', total: 1, children: [{ type: 'void', more: 2 }] }
    const matches = (seen: unknown) => {
      try {
        expect(answer).toEqual(matching(seen))
        return true
      } catch {
        return false
      }
    }
    expect(matches({ id: '…', children: [{ type: 'void' }] })).toBe(true)
    expect(matches({ id: 'b' })).toBe(false)
    expect(matches({ idd: '…' })).toBe(false)
    expect(matches({ children: [] })).toBe(false)
  })
})

/** Each script, with what stands right under it. */
async function stepsOf(page: string): Promise<readonly Step[]> {
  const blocks = await blocksOf(page)
  return blocks.flatMap(({ kind, content }, index) => {
    const next = blocks[index + 1]
    if (kind !== 'sh') return []
    return [{ script: content, seen: next?.kind === 'json' ? JSON.parse(next.content) : undefined }]
  })
}

/** An object may hold more than is said; `…` is anything but nothing. */
function matching(seen: unknown): unknown {
  if (seen === '…') return expect.anything()
  if (Array.isArray(seen)) return seen.map(matching)
  if (typeof seen !== 'object' || seen === null) return seen
  const fields = Object.entries(seen).map(([name, value]) => [name, matching(value)])
  return expect.objectContaining(Object.fromEntries(fields))
}

/** By the service's own log: the operations of the document that were not asked, or only refused. */
async function leftOut() {
  const document = JSON.parse(await readFile(DOCUMENT, 'utf8'))
  const all = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations as object).map((verb) => `${verb.toUpperCase()} ${path}`),
  )
  const answered = newcomer.lines.filter(({ msg }) => msg === 'answered')
  const named = (some: readonly LogLine[]) =>
    some.map(({ method, route = '' }) => `${method} ${route.replace(/:(\w+)/g, '{$1}')}`)
  const asked = [...named(answered), ...NOT_LOGGED]
  const done = [...named(answered.filter(({ status = 0 }) => status < 300)), ...NOT_LOGGED]
  return {
    notAsked: all.filter((one) => !asked.includes(one)),
    onlyRefused: all.filter((one) => asked.includes(one) && !done.includes(one)),
  }
}
