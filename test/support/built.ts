// Processes that tests start are built once a run: so each is there in half a second, where compiling
// it as it starts takes three. Modules that are loaded together are one file, which takes an
// eighth less CPU than a file for each. Their types are looked at elsewhere.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const ROOT = join(import.meta.dirname, '..', '..')

/** Inherited by the processes of the run; without it each is compiled as it starts. */
const FOLDER = 'LAMPLIGHTER_BUILT'

const PROCESSES = [
  'src/main.ts',
  'test/chaos/child.ts',
  'test/chaos/wrong-clock.ts',
  'test/cli/ends-child.ts',
  'test/db/embedded-child.ts',
  'test/hostile/probe-child.ts',
  'test/hostile/service-child.ts',
  'test/support/delivery-child.ts',
  'test/support/recurrence-child.ts',
]

/** Answers how to remove it. */
export async function buildProcesses(): Promise<() => void> {
  const folder = join(ROOT, 'dist', `run-${process.pid}`)
  await build({
    entryPoints: PROCESSES.map((path) => join(ROOT, path)),
    outdir: folder,
    outbase: ROOT,
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    tsconfig: join(ROOT, 'tsconfig.json'),
    logLevel: 'error',
  })
  process.env[FOLDER] = folder
  return () => {
    delete process.env[FOLDER]
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What Node is to run, and before it a preload: files of the project, by their paths from the root. */
export function processOf(path: string, preload?: string): readonly string[] {
  const folder = process.env[FOLDER]
  const preloads = preload === undefined ? [] : ['--import', pathTo(preload, folder)]
  if (folder === undefined) return ['--import', 'tsx', ...preloads, pathTo(path, folder)]
  return [...preloads, pathTo(path, folder)]
}

function pathTo(path: string, folder: string | undefined): string {
  return folder === undefined ? join(ROOT, path) : join(folder, path.replace(/\.ts$/, '.js'))
}
