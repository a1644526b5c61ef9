// `lamplighter doctor` says in plain words what is wrong and what to do. The exit status is 1 if a
// finding is bad; one that is odd leaves it at 0.

import type { Paint } from '../core/paint.ts'
import { oneLine } from '../core/terminal-text.ts'
import { examine } from '../doctor/examine.ts'
import type { Finding } from '../doctor/finding.ts'
import { withWorld } from './open-service.ts'
import { type Output, paintOf, printJson } from './output.ts'

export function doctorCommand(options: Output): Promise<void> {
  return withWorld(async (world) => {
    const findings = await examine(world)
    if (options.json === true) printJson(findings)
    else process.stdout.write(report(findings, paintOf(process.stdout)))
    if (findings.some((finding) => finding.state === 'bad')) process.exitCode = 1
  })
}

const LEGEND =
  '! deserves a look, and may be as it should be; ✗ is wrong, and makes the exit status 1.'

function report(findings: readonly Finding[], paint: Paint): string {
  const isAllGood = findings.every(({ state }) => state === 'good')
  return `${findings.map((one) => line(one, paint)).join('')}${isAllGood ? '' : `\n${LEGEND}\n`}`
}

const MARKS = { good: '✓', odd: '!', bad: '✗' } as const

/** What a finding quotes may come from a merchant or a provider. */
function line({ state, subject, says, remedy }: Finding, paint: Paint): string {
  const advice = remedy === undefined ? '' : `\n    ${oneLine(remedy)}`
  const about = oneLine(`${subject}: ${says}`)
  return `${paint(state, MARKS[state])} ${about}${advice}\n`
}
