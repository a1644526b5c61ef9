// `lamplighter doctor` says in plain words what is wrong and what to do. The exit status is 1 if a
// finding is bad; one that is odd leaves it at 0.

import { examine } from '../doctor/examine.ts'
import type { Finding } from '../doctor/finding.ts'
import { withWorld } from './open-service.ts'
import { type Output, print } from './output.ts'

export function doctorCommand(options: Output): Promise<void> {
  return withWorld(async (world) => {
    const findings = await examine(world)
    if (options.json === true) print(findings, options)
    else process.stdout.write(report(findings))
    if (findings.some((finding) => finding.state === 'bad')) process.exitCode = 1
  })
}

const LEGEND =
  '! deserves a look, and may be as it should be; ✗ is wrong, and makes the exit status 1.'

function report(findings: readonly Finding[]): string {
  const isAllGood = findings.every(({ state }) => state === 'good')
  return `${findings.map(line).join('')}${isAllGood ? '' : `\n${LEGEND}\n`}`
}

const MARKS = { good: '✓', odd: '!', bad: '✗' } as const

function line({ state, subject, says, remedy }: Finding): string {
  const advice = remedy === undefined ? '' : `\n    ${remedy}`
  return `${MARKS[state]} ${subject}: ${says}${advice}\n`
}
