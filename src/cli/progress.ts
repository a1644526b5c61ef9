// How far long work has come, as a bar on standard error. Only a terminal shows it: a file or a
// program that reads the errors gets errors alone.

import type { Report } from '../core/progress.ts'
import { cutTo, oneLine } from '../core/terminal-text.ts'

const BAR_WIDTH = 30

/** The width if the terminal does not know it. */
const USUAL_WIDTH = 80

/** Returns to the beginning of the line and empties it. */
const CLEAR = '\r\u001b[K'

interface ProgressOutput {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export interface ShownProgress {
  readonly report: Report
  /** Removes the bar, because the result follows. */
  end(): void
}

export function openProgress(output: ProgressOutput, name: string): ShownProgress {
  if (output.isTTY !== true) return { report() {}, end() {} }
  let shown = ''
  return {
    report({ done, of }) {
      const part = of === 0 ? 1 : Math.min(1, done / of)
      const bar = '#'.repeat(Math.floor(part * BAR_WIDTH)).padEnd(BAR_WIDTH, '.')
      const text = oneLine(`[${bar}] ${done} of ${of}  ${name}`)
      const line = cutTo(text, (output.columns ?? USUAL_WIDTH) - 1)
      if (line === shown) return
      shown = line
      output.write(`${CLEAR}${line}`)
    },
    end() {
      if (shown !== '') output.write(CLEAR)
    },
  }
}
