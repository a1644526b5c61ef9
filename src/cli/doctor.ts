// `lamplighter doctor`: what is wrong, in words, and what to do. The exit status is 1 when
// something is; what is only odd leaves it at 0.

import { examine } from '../doctor/examine.ts'
import type { Finding } from '../doctor/finding.ts'
import { openHouse } from './open-house.ts'
import { type Output, print } from './output.ts'

export async function doctor(options: Output): Promise<void> {
  const house = await openHouse({ role: 'guest' })
  try {
    const findings = await examine(house.world)
    if (options.json === true) print(findings, options)
    else process.stdout.write(report(findings))
    if (findings.some((finding) => finding.state === 'bad')) process.exitCode = 1
  } finally {
    await house.close()
  }
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
