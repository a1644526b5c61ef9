// `lamplighter doctor` says in plain words what is wrong and what to do. The exit status is 1 if
// there is a fault; a warning leaves it at 0.

import type { Paint } from '../core/paint.ts'
import { oneLine } from '../core/terminal-text.ts'
import type { Finding } from '../doctor/check.ts'
import { examine } from '../doctor/examine.ts'
import { openLog } from '../log.ts'
import type { World } from '../world.ts'
import { withWorld } from './open-service.ts'
import { type Output, paintOf, printJson } from './output.ts'

export function doctorCommand(options: Output): Promise<void> {
  const act = async (world: World) => {
    const findings = await examine(world)
    if (options.json === true) printJson(findings)
    else process.stdout.write(report(findings, paintOf(process.stdout)))
    if (findings.some(({ state }) => state === 'fault')) process.exitCode = 1
  }
  // Its findings say what the log would.
  return withWorld(act, { schema: 'any', log: openLog('silent', process.stderr) })
}

const LEGEND =
  '! deserves a look, and may be as it should be; ✗ is wrong, and makes the exit status 1.'

function report(findings: readonly Finding[], paint: Paint): string {
  const isAllWell = findings.every(({ state }) => state === 'ok')
  return `${findings.map((one) => line(one, paint)).join('')}${isAllWell ? '' : `\n${LEGEND}\n`}`
}

const MARKS = { ok: ['✓', 'good'], warning: ['!', 'odd'], fault: ['✗', 'bad'] } as const

/** The quotes in a finding may come from a merchant or a provider. */
function line({ state, subject, says, remedy }: Finding, paint: Paint): string {
  const advice = remedy === undefined ? '' : `\n    ${oneLine(remedy)}`
  const about = oneLine(`${subject}: ${says}`)
  const [mark, colour] = MARKS[state]
  return `${paint(colour, mark)} ${about}${advice}\n`
}
