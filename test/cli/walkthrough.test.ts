// What docs/walkthrough.md tells a newcomer to paste is pasted, as it stands there, and what it says
// that one sees is seen.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const TSX = `file://${ROOT}/node_modules/tsx/dist/loader.mjs`
const LONG = { timeout: 120_000 }
const PATIENCE = { timeout: 10_000, interval: 50 }

/** Between the outputs of two blocks. */
const MARK = '----------------------- end of block'

/** Asked in the walk, but too often by others to be worth a line in the log. */
const NOT_LOGGED = ['GET /healthz', 'GET /readyz']

/** No batch has taken anything on the first day, and the walk says so. */
const TOO_EARLY = ['POST /transaction/{id}/refund']

const BLOCK = /^```(sh|json)\n([\s\S]*?)^```$/gm

interface Step {
  readonly script: string
  /** What the last answer of the script holds; undefined where nothing is said of it. */
  readonly seen: unknown
}

interface Line {
  readonly msg?: string
  readonly method?: string
  readonly route?: string
  readonly status?: number
}

let folder: string
let service: ChildProcess
let welcome: string
const lines: Line[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lamplighter walk '))
  service = spawn('node', ['--import', 'tsx', 'src/main.ts', 'start'], {
    cwd: ROOT,
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  welcome = await welcomeOf(service)
}, 60_000)

afterAll(async () => {
  const ended = once(service, 'exit')
  service.kill('SIGTERM')
  await ended
  await rm(folder, { recursive: true, force: true })
})

describe('the walk through the API', LONG, () => {
  it('can be pasted as it is, shows what it says, and calls every operation', async () => {
    const steps = stepsOf(await readFile(join(ROOT, 'docs/walkthrough.md'), 'utf8'))
    const { status, outputs, err } = await paste(steps)
    expect([status, err]).toEqual([0, expect.not.stringMatching(/not found|syntax|unbound/i)])
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
      expect(await leftOut()).toEqual({ notAsked: [], onlyRefused: TOO_EARLY })
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
function stepsOf(text: string): readonly Step[] {
  const blocks = [...text.matchAll(BLOCK)].map(([, kind, content = '']) => ({ kind, content }))
  return blocks.flatMap(({ kind, content }, index) => {
    const next = blocks[index + 1]
    if (kind !== 'sh') return []
    return [{ script: content, seen: next?.kind === 'json' ? JSON.parse(next.content) : undefined }]
  })
}

/** One shell for all of them, as in the newcomer's terminal; it ends at the first that fails. */
async function paste(steps: readonly Step[]) {
  const [, address = '', key = ''] =
    /(http\S+)\/charge -H 'Authorization: Bearer (\S+)'/.exec(welcome) ?? []
  const shell = spawn('sh', ['-eu'], {
    cwd: ROOT,
    env: {
      ...environment(),
      TMPDIR: folder,
      API: address,
      KEY: key,
      LAMPLIGHTER: `node --import ${TSX} src/main.ts`,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const texts = { out: '', err: '' }
  shell.stdout.on('data', (chunk) => {
    texts.out += chunk
  })
  shell.stderr.on('data', (chunk) => {
    texts.err += chunk
  })
  shell.stdin.end(steps.map(({ script }) => `${script}\necho '${MARK}'\n`).join(''))
  const [status] = await once(shell, 'close')
  return { status, err: texts.err, outputs: texts.out.split(MARK).slice(0, -1) }
}

function lastAnswer(output: string): unknown {
  const line = output.split('\n').findLast((one) => /^[{[]/.test(one))
  return line === undefined ? undefined : JSON.parse(line)
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
  const document = JSON.parse(await readFile(join(ROOT, 'docs/openapi.json'), 'utf8'))
  const all = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations as object).map((verb) => `${verb.toUpperCase()} ${path}`),
  )
  const answered = lines.filter(({ msg }) => msg === 'answered')
  const named = (some: readonly Line[]) =>
    some.map(({ method, route = '' }) => `${method} ${route.replace(/:(\w+)/g, '{$1}')}`)
  const asked = [...named(answered), ...NOT_LOGGED]
  const done = [...named(answered.filter(({ status = 0 }) => status < 300)), ...NOT_LOGGED]
  return {
    notAsked: all.filter((one) => !asked.includes(one)),
    onlyRefused: all.filter((one) => asked.includes(one) && !done.includes(one)),
  }
}

function environment(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env
  return { PATH, HOME, DATA_DIR: folder, PORT: '0' }
}

/** All that it says until it is ready; from then on its log is kept. */
function welcomeOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    let rest = ''
    child.stdout?.on('data', (chunk) => {
      said += chunk
      const parts = `${rest}${chunk}`.split('\n')
      rest = parts.pop() ?? ''
      lines.push(...parts.filter((part) => part.startsWith('{')).map((part) => JSON.parse(part)))
      if (said.includes('"msg":"ready"')) resolve(said)
    })
    child.once('exit', () => reject(new Error(`it ended:\n${said}`)))
  })
}
