// A time limit that a test missed on a machine that others use too says little; a wrong answer says
// all. A run in which tests failed that only missed a limit names their files, so that they can be
// run once more, alone.

import { writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/** More than a few say that the suite is slow, not the machine. */
const MOST_FILES = 5

/**
 * What a missed limit says: Vitest's own, one of a browser or of a helper of ours, and a bound of a
 * measured time. Only a time has so many decimals: amounts and counts are wrong answers.
 */
const MISSED = /timed out|timeout .* exceeded|in time\b|expected \d+\.\d{3,} to be less than/i

export class LateFiles implements Reporter {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** Writes no file when anything else failed. */
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const failed = modules.filter((module) => module.state() === 'failed')
    const errors = [...failed.flatMap(errorsOf), ...unhandled]
    if (errors.length === 0 || failed.length > MOST_FILES || !errors.every(isMissedLimit)) return
    for (const { message } of errors) console.log(`MISSED A LIMIT: ${message}`)
    writeFileSync(this.#path, failed.map(({ moduleId }) => `${moduleId}\n`).join(''))
  }
}

function errorsOf(module: TestModule): readonly SerializedError[] {
  const suites = [...module.children.allSuites()]
  const tests = [...module.children.allTests('failed')]
  return [
    ...module.errors(),
    ...suites.flatMap((suite) => suite.errors()),
    ...tests.flatMap((test) => test.result().errors ?? []),
  ]
}

/** What polls until a limit has the last answer as its message, and the limit as its cause. */
function isMissedLimit({ message, cause }: SerializedError): boolean {
  const reasons = [message, (cause as SerializedError | undefined)?.message ?? '']
  return reasons.some((reason) => MISSED.test(reason))
}
