// A machine whose clock is wrong, for one process: a preload shifts the result of `Date` by some
// milliseconds, which a test changes while the process runs. Timers and `performance.now()` are
// unchanged, as on a real machine whose clock is set.
//
//   const clock = await openWrongClock()
//   spawn(process.execPath, [...processOf(CHILD, WRONG_CLOCK), …], { env: { ...env, ...clock.env } })
//   await clock.shift(HOUR)   // within 20 ms the process is an hour ahead
//   await clock.shift(0)      // and right again
//
// The shift belongs to the machine: a process that is restarted with the same `env` has it too.

import { readFileSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface WrongClock extends AsyncDisposable {
  /** The environment of a process with this clock, which is right until it is shifted. */
  readonly env: Readonly<Record<string, string>>
  /** The offset from the right time; positive is ahead. */
  shift(byMs: number): Promise<void>
}

/** The preload, for `processOf`. */
export const WRONG_CLOCK = 'test/chaos/wrong-clock.ts'

/** Names the file that holds the shift. */
const VARIABLE = 'LAMPLIGHTER_CLOCK_SHIFT'

const READ_EVERY_MS = 10

export async function openWrongClock(): Promise<WrongClock> {
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter-clock-'))
  const file = join(folder, 'shift')
  return {
    env: { [VARIABLE]: file },
    async shift(byMs) {
      // It is renamed into place, so that a reader never gets half a number.
      await writeFile(`${file}.next`, String(byMs))
      await rename(`${file}.next`, file)
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

const shiftFile = process.env[VARIABLE]
if (shiftFile !== undefined) shiftDate(shiftFile)

function shiftDate(file: string): void {
  const RightDate = Date
  let byMs = readShift(file)
  setInterval(() => {
    byMs = readShift(file)
  }, READ_EVERY_MS).unref()
  const now = () => RightDate.now() + byMs
  globalThis.Date = new Proxy(RightDate, {
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
    apply: (target) => new target(now()).toString(),
    construct: (target, values, newTarget) =>
      Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
  })
  RightDate.prototype.constructor = globalThis.Date
}

function readShift(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return 0 // It has not been shifted yet.
  }
}
