// The commands on the pages for newcomers are pasted as they stand, after the first charge, and
// then once more; and the output is what the page shows.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DateTime } from 'luxon'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  answersIn,
  blocksOf,
  type LogLine,
  lastAnswer,
  type Newcomer,
  openNewcomer,
} from '../support/paste.ts'
import { soon } from '../support/soon.ts'

const DOCUMENT = join(import.meta.dirname, '../../docs/openapi.json')
const NEW_YORK = 'America/New_York'
const START_MS = 120_000
const LONG = { timeout: 300_000 }
/** The walk calls these, but they are called too often to be logged. */
const NOT_LOGGED = ['GET /healthz', 'GET /readyz', 'GET /metrics']

interface Step {
  readonly script: string
  /** The page's text under the script; undefined if it shows nothing. */
  readonly seen: unknown
}

interface List {
  readonly data: readonly Readonly<Record<string, unknown>>[]
}

let newcomer: Newcomer

beforeAll(async () => {
  newcomer = await openNewcomer()
  const { outputs } = await newcomer.paste([newcomer.firstCharge])
  expect(lastAnswer(outputs[0] ?? '')).toMatchObject({ status: 'SUCCESS', total: 12.5 })
}, START_MS)

afterAll(() => newcomer.leave())

describe.each(['the first time', 'the second time'])('pasted %s', LONG, () => {
  it('the endpoint in five minutes gets its event', async () => {
    const outputs = await pasted('docs/webhooks.md')
    expect(outputs.join('')).toMatch(/^webhook_test \S+ \d+$/m)
  })

  it('the team gets its reply-to address and its automatic receipts', async () => {
    const outputs = await pasted('docs/receipts.md')
    expect(outputs.join('')).toContain('hello@moonlight.example')
  })

  it('the walk through the API shows the documented output, and calls every operation', async () => {
    const before = newcomer.lines.length
    await pasted('docs/walkthrough.md')
    // The log comes a moment after the answers.
    await soon(async () => {
      expect(await leftOut(newcomer.lines.slice(before))).toEqual({ notAsked: [], onlyRefused: [] })
    })
  })

  it('the year in a minute is twelve invoices, each paid on its day, and twelve batches', async () => {
    const outputs = await pasted('docs/time.md', /^A year in a minute\n/)
    const lists = answersIn(outputs.join('')).filter((one) => Object(one).data !== undefined)
    const [invoices, batches] = lists.slice(-2) as [List, List]
    const days = lastDays(Number(String(invoices.data[0]?.paid_at).slice(0, 4)))
    expect(invoices.data.map((one) => one.status)).toEqual(days.map(() => 'PAID'))
    expect(invoices.data.map((one) => one.paid_at).reverse()).toEqual(days)
    expect(batches.data).toMatchObject(
      days
        .map((day) => ({ business_date: day.slice(0, 10), status: 'closed', count: 1, net: 49 }))
        .reverse(),
    )
  })
})

it('the pages begin with the same helpers', async () => {
  const pages = ['docs/walkthrough.md', 'docs/time.md', 'docs/webhooks.md']
  const first = await Promise.all(pages.map(async (page) => (await blocksOf(page))[0]?.content))
  expect(new Set(first).size).toBe(1)
})

describe('the output of a step', () => {
  it('is compared with the page, as a control', () => {
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

/** The output of the page's scripts. */
async function pasted(page: string, isMeant?: RegExp): Promise<readonly string[]> {
  const steps = await stepsOf(page, isMeant)
  const { status, outputs, err } = await newcomer.paste(steps.map(({ script }) => script))
  const last = outputs.at(-1)
  expect({ status, err, last }).toEqual({
    status: 0,
    err: expect.not.stringMatching(/not found|syntax|unbound|There is no/i),
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
  return outputs
}

/** The last day of each month, at nine in New York. */
function lastDays(year: number): readonly string[] {
  return Array.from({ length: 12 }, (_, month) => {
    const day = DateTime.fromObject({ year, month: month + 1, hour: 9 }, { zone: NEW_YORK })
    return day.endOf('month').set({ hour: 9 }).startOf('hour').toJSDate().toISOString()
  })
}

/** Each script, with the output right under it. */
async function stepsOf(page: string, isMeant?: RegExp): Promise<readonly Step[]> {
  const blocks = await blocksOf(page, isMeant)
  return blocks.flatMap(({ kind, content }, index) => {
    const next = blocks[index + 1]
    if (kind !== 'sh') return []
    return [{ script: content, seen: next?.kind === 'json' ? JSON.parse(next.content) : undefined }]
  })
}

/** An object may hold more than the page shows; `…` stands for any value. */
function matching(seen: unknown): unknown {
  if (seen === '…') return expect.anything()
  if (Array.isArray(seen)) return seen.map(matching)
  if (typeof seen !== 'object' || seen === null) return seen
  const fields = Object.entries(seen).map(([name, value]) => [name, matching(value)])
  return expect.objectContaining(Object.fromEntries(fields))
}

/**
 * By the service's own log: the operations of the document that were not called, or only refused.
 */
async function leftOut(lines: readonly LogLine[]) {
  const document = JSON.parse(await readFile(DOCUMENT, 'utf8'))
  const all = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations as object).map((verb) => `${verb.toUpperCase()} ${path}`),
  )
  const answered = lines.filter(({ msg }) => msg === 'answered')
  const named = (some: readonly LogLine[]) =>
    some.map(({ method, route = '' }) => `${method} ${route.replace(/:(\w+)/g, '{$1}')}`)
  const asked = [...named(answered), ...NOT_LOGGED]
  const done = [...named(answered.filter(({ status = 0 }) => status < 300)), ...NOT_LOGGED]
  return {
    notAsked: all.filter((one) => !asked.includes(one)),
    onlyRefused: all.filter((one) => asked.includes(one) && !done.includes(one)),
  }
}
