// How far long work has come, on standard error: a bar that fills where a person looks on, a line
// now and then where a file does.

import type { Report } from '../core/progress.ts'

const WIDTH = 30

/** Lines in all, where there is no bar. */
const LINES = 10

export interface ProgressOutput {
  readonly isTTY?: boolean
  write(text: string): unknown
}

export function openProgress(
  output: ProgressOutput,
  name: string,
): { readonly report: Report; end(): void } {
  let told = -1
  let isDrawn = false
  const report: Report = ({ done, of }) => {
    const part = of === 0 ? 1 : Math.min(1, done / of)
    const steps = Math.floor(part * (output.isTTY === true ? WIDTH : LINES))
    const count = `${name}: ${done} of ${of}`
    if (output.isTTY === true) {
      output.write(`\r[${'#'.repeat(steps).padEnd(WIDTH, '.')}] ${count}`)
      isDrawn = true
    } else if (steps > told) {
      output.write(`${count}\n`)
    }
    told = Math.max(told, steps)
  }
  return {
    report,
    end() {
      if (isDrawn) output.write('\n')
    },
  }
}
