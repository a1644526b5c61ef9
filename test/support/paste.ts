// A service at its first start, and a terminal beside it into which a newcomer pastes the scripts
// of a page.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../chaos/proxies.ts'
import { processOf } from './built.ts'

export interface LogLine {
  readonly msg?: string
  readonly method?: string
  readonly route?: string
  readonly status?: number
}

interface Pasted {
  readonly status: number | null
  /** The output of each script that ran to its end. */
  readonly outputs: readonly string[]
  readonly err: string
}

export interface Newcomer {
  /** Its log since it was ready. */
  readonly lines: readonly LogLine[]
  /** The command that its start prints to try. */
  readonly firstCharge: string
  /** One shell for all of them, as in a terminal; it ends at the first failure. */
  paste(scripts: readonly string[]): Promise<Pasted>
  leave(): Promise<void>
}

interface Block {
  readonly kind: string
  readonly content: string
}

const ROOT = join(import.meta.dirname, '../..')

/** Separates the outputs of two scripts. */
const MARK = '----------------------- end of block'

const BLOCK = /^```(sh|json|ts|python)\n([\s\S]*?)^```$/gm

/** The scripts of a page and the answers that it shows, in their order. */
export async function blocksOf(page: string, isMeant: RegExp = /^/): Promise<readonly Block[]> {
  const text = await readFile(join(ROOT, page), 'utf8')
  const section = text.split(/^## /m).filter((part) => isMeant.test(part))
  return section.flatMap((part) =>
    [...part.matchAll(BLOCK)].map(([, kind = '', content = '']) => ({ kind, content })),
  )
}

/** Starts with an empty folder, whose name has a space in it. */
export async function openNewcomer(): Promise<Newcomer> {
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter walk '))
  const { PATH = '', HOME = '' } = process.env
  const env = {
    PATH,
    HOME,
    DATA_DIR: folder,
    PORT: '0',
    // webhooks.md says so; and a test pastes more in a minute than a person does.
    WEBHOOK_ALLOW_PRIVATE: 'true',
    RATE_LIMIT_PER_MINUTE: '1000',
  }
  const service = spawn('node', [...processOf('src/main.ts'), 'start'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: LogLine[] = []
  const welcome = await welcomeOf(service, lines)
  const [, address = '', key = ''] =
    /(http\S+)\/charge -H 'Authorization: Bearer (\S+)'/.exec(welcome) ?? []
  const LAMPLIGHTER = `node ${processOf('src/main.ts').join(' ')}`
  const RECEIVER_PORT = String(await freePort())
  const terminal = { ...env, TMPDIR: folder, API: address, KEY: key, LAMPLIGHTER, RECEIVER_PORT }
  return {
    lines,
    firstCharge: /^curl [\s\S]*?'$/m.exec(welcome)?.[0] ?? '',
    paste: (scripts) => pasteInto(terminal, scripts),
    async leave() {
      const ended = once(service, 'exit')
      service.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The output until it is ready; after that its log is kept. */
function welcomeOf(child: ChildProcess, lines: LogLine[]): Promise<string> {
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

async function pasteInto(
  env: Readonly<Record<string, string>>,
  scripts: readonly string[],
): Promise<Pasted> {
  // It has a process group of its own, since background processes of a failed page would keep its
  // output open.
  const shell = spawn('sh', ['-eu'], {
    cwd: ROOT,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  const texts = { out: '', err: '' }
  shell.stdout.on('data', (chunk) => {
    texts.out += chunk
  })
  shell.stderr.on('data', (chunk) => {
    texts.err += chunk
  })
  shell.stdin.end(scripts.map((script) => `${script}\necho '${MARK}'\n`).join(''))
  const closed = once(shell, 'close')
  await once(shell, 'exit')
  endGroup(shell.pid)
  const [status] = await closed
  return { status, err: texts.err, outputs: texts.out.split(MARK).slice(0, -1) }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid)
  } catch (error) {
    // No process was left in it.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** The answer that a script prints last. */
export function lastAnswer(output: string): unknown {
  return answersIn(output).at(-1)
}

/** The answers, each on a line of its own. */
export function answersIn(output: string): readonly unknown[] {
  return output
    .split('\n')
    .filter((line) => /^[{[]/.test(line))
    .map((line) => JSON.parse(line))
}
