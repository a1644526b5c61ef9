// The time from `npm start` to the line that says ready: in an empty folder, and in one of an
// earlier start.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { SECOND } from '../src/core/time-units.ts'
import type { Cleanups } from './cleanups.ts'
import { temporaryFolder } from './database.ts'
import type { Section } from './report.ts'
import { ROOT } from './root.ts'
import { environment, readyLineOf, stopService } from './service.ts'
import type { Sizes } from './sizes.ts'
import { median } from './statistics.ts'
import { within } from './within.ts'

const READY_MS = 60 * SECOND

export async function measureStartup(sizes: Sizes, cleanups: Cleanups): Promise<Section> {
  const folder = await temporaryFolder(cleanups)
  const first = await startOnce(folder, cleanups)
  const later: number[] = []
  while (later.length < sizes.laterStarts) later.push(await startOnce(folder, cleanups))
  const unit = 's'
  return {
    title: 'From `npm start` to ready',
    notes: ['In the embedded default, npm itself included.'],
    figures: [
      { name: 'first_start_s', label: 'first start, empty folder', value: first, unit },
      { name: 'later_start_s', label: 'later starts, median', value: median(later), unit },
    ],
    ratios: {},
  }
}

/** Returns the seconds. The service is stopped and gone afterwards. */
async function startOnce(folder: string, cleanups: Cleanups): Promise<number> {
  const startedMs = performance.now()
  const env = environment({ DATA_DIR: folder })
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const npm = spawn('npm', ['start', '--silent'], { cwd: ROOT, env, stdio: [...stdio] })
  cleanups.add(() => stopService(npm, npm.pid ?? 0))
  let said = ''
  const ready = async () => {
    // A closed pipe would be an error in the log of the service.
    for await (const chunk of npm.stdout.iterator({ destroyOnReturn: false })) {
      said += chunk
      const line = readyLineOf(said)
      if (line !== undefined) return line.pid
    }
    throw new Error(`npm start ended:\n${said}`)
  }
  const pid = await within(READY_MS, 'npm start', ready())
  const seconds = (performance.now() - startedMs) / SECOND
  npm.stdout.resume()
  const ended = npm.exitCode === null ? once(npm, 'exit') : undefined
  process.kill(pid, 'SIGTERM')
  await within(READY_MS, 'stopping', Promise.resolve(ended))
  return seconds
}
