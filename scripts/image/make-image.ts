// Carries out the steps of the Dockerfile without a container engine: each stage is a folder, whose
// commands run on this machine, with the packages that npm has already fetched where it has them.

import assert from 'node:assert'
import { spawnSync } from 'node:child_process'
import { cp, mkdir, stat } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { type Instruction, type IsIgnored, readCopy } from './dockerfile.ts'

interface Making {
  readonly instructions: readonly Instruction[]
  /** The checkout. */
  readonly context: string
  readonly isIgnored: IsIgnored
  /** The folder for the file systems of the stages. */
  readonly folder: string
}

/** Returns the folder of the last stage in which its commands run. */
export async function makeImage({ instructions, ...making }: Making): Promise<string> {
  let [stage, here] = ['', '']
  for (const { keyword, text } of instructions) {
    if (keyword === 'FROM') {
      stage = join(making.folder, /^\S+ AS (\w+)$/.exec(text)?.[1] ?? '')
      here = stage
    } else if (keyword === 'WORKDIR') {
      here = join(stage, text)
      await mkdir(here, { recursive: true })
    } else if (keyword === 'COPY') {
      await copy(text, here, making)
    } else if (keyword === 'RUN') {
      process.stderr.write(`${basename(stage)}: ${text}\n`)
      run(text, here)
    }
  }
  return here
}

async function copy(text: string, here: string, making: Omit<Making, 'instructions'>) {
  const { context, isIgnored, folder } = making
  const { from, sources, to } = readCopy(text)
  for (const source of sources) {
    const path = join(from === undefined ? context : join(folder, from), source)
    const isFile = (await stat(path)).isFile()
    assert(isFile === (to === './'), `not understood: COPY ${text}`)
    assert(from !== undefined || !isIgnored(source), `ignored by .dockerignore: ${source}`)
    await cp(path, join(here, to, isFile ? source : ''), {
      recursive: true,
      filter: (one) => from !== undefined || !isIgnored(relative(context, one)),
    })
  }
}

function run(command: string, cwd: string): void {
  assert(/^[a-z]/.test(command), `not understood: RUN ${command}`)
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, npm_config_prefer_offline: 'true' }
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd,
    env,
    encoding: 'utf8',
  })
  assert.equal(status, 0, `${command} failed:\n${(stdout + stderr).slice(-4_000)}`)
}
