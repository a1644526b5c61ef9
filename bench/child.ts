// Processes of their own make the load, so that its work is neither counted as work of the measured
// service, nor delayed by it.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { MINUTE } from '../src/core/time-units.ts'
import type { Cleanups } from './cleanups.ts'
import { within } from './within.ts'

export interface BenchChild<Question, Answer> {
  readonly pid: number
  /** One question at a time. */
  ask(question: Question): Promise<Answer>
}

interface Reply<Answer> {
  readonly answer: Answer
  readonly fault?: string
}

const PATIENCE_MS = 2 * MINUTE

export function startBenchChild<Question extends object, Answer>(
  file: string,
  args: readonly string[],
  cleanups: Cleanups,
): BenchChild<Question, Answer> {
  const child = fork(join(import.meta.dirname, file), [...args])
  cleanups.add(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`${file} ended: ${signal ?? code}`)
  })
  ended.catch(() => {}) // handled when a question is asked
  return {
    pid: child.pid ?? 0,
    async ask(question) {
      const replied = once(child, 'message')
      child.send(question)
      const [reply] = await within(PATIENCE_MS, file, Promise.race([replied, ended]))
      const { answer, fault } = reply as Reply<Answer>
      if (fault !== undefined) throw new Error(`${file}: ${fault}`)
      return answer
    },
  }
}

/** In the child: answers the parent's questions until the parent is gone. */
export function answerParent<Question, Answer>(
  answer: (question: Question) => Promise<Answer>,
): void {
  process.on('message', (question: Question) => {
    answer(question).then(
      (found) => process.send?.({ answer: found }),
      (error: unknown) => process.send?.({ fault: String(error) }),
    )
  })
  process.on('disconnect', () => process.exit())
}
