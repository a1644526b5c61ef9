// Processes that tests start are built once a run: so each is there in half a second, where compiling
// it as it starts takes three. Their types are looked at elsewhere.

import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '..', '..')

/** Inherited by the processes of the run; without it each is compiled as it starts. */
const FOLDER = 'LAMPLIGHTER_BUILT'

/** Answers how to remove it. */
export async function buildProcesses(): Promise<() => void> {
  const folder = join(ROOT, 'dist', `run-${process.pid}`)
  const tsc = join(ROOT, 'node_modules', '.bin', 'tsc')
  const project = join(import.meta.dirname, 'tsconfig.processes.json')
  await promisify(execFile)(tsc, ['-p', project, '--outDir', folder])
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
