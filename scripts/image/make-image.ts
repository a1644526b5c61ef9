// Carries out the steps of a Dockerfile without a container engine: each stage is a folder, whose
// commands run on this machine, with the packages that npm has already fetched where it has them.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { contextFiles, type IsIgnored } from './build-context.ts'
import { lineage, type Stage, type Step } from './dockerfile.ts'

export interface Making {
  readonly stages: readonly Stage[]
  /** The checkout. */
  readonly context: string
  readonly isIgnored: IsIgnored
  /** Where the stages' folders are made. */
  readonly folder: string
  readonly tell: (line: string) => void
}

/** Answers where the root of the last stage's file system is, and where in it commands run. */
export async function makeImage(making: Making): Promise<{ root: string; workdir: string }> {
  const files = await contextFiles(making.context, making.isIgnored)
  let made = { root: '', workdir: '/' }
  for (const { name } of making.stages) {
    const root = join(making.folder, name)
    await mkdir(root)
    made = { root, workdir: '/' }
    for (const step of lineage(making.stages, name).flatMap(({ steps }) => steps)) {
      made = { root, workdir: await carryOut(step, made.workdir, root, files, making) }
    }
  }
  return made
}

async function carryOut(
  step: Step,
  workdir: string,
  root: string,
  files: readonly string[],
  { context, folder, tell }: Making,
): Promise<string> {
  const here = join(root, workdir)
  switch (step.kind) {
    case 'workdir':
      await mkdir(join(root, step.folder), { recursive: true })
      return step.folder
    case 'run':
      tell(`${basename(root)}: ${step.command}`)
      await run(step.command, here)
      return workdir
    case 'copy': {
      const target = join(here, step.to)
      for (const source of step.sources) {
        if (step.from === undefined) await copyFiles(context, source, target, files)
        else await cp(join(folder, step.from, source), target, { recursive: true })
      }
      return workdir
    }
  }
}

/** What a folder holds is copied, or the file itself, into the target or as it. */
async function copyFiles(
  context: string,
  source: string,
  target: string,
  files: readonly string[],
): Promise<void> {
  const held = files.filter((path) => path.startsWith(`${source}/`))
  if (held.length === 0 && !files.includes(source)) throw new Error(`nothing to copy: ${source}`)
  const copies = held.map((path) => ({ path, to: join(target, path.slice(source.length + 1)) }))
  if (held.length === 0) copies.push({ path: source, to: join(target, basename(source)) })
  for (const { path, to } of copies) {
    await mkdir(dirname(to), { recursive: true })
    await cp(join(context, path), to)
  }
}

async function run(command: string, cwd: string): Promise<void> {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, npm_config_prefer_offline: 'true' }
  const child = spawn('sh', ['-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => said.push(String(chunk)))
  }
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${said.join('').slice(-4_000)}`)
}
