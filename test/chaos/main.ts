// `npm run chaos` is the long form of the kill tests.
//
//   npm run chaos -- --minutes 10 --seed 7 --backend redis
//   npm run chaos -- --faults 'half-open|clock'        by their names and kinds
//   npm run chaos -- --gateway stripe                  through a stand-in for it

import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildProcesses } from '../support/built.ts'
import {
  choiceOption,
  numberOption,
  OptionError,
  programOptions,
} from '../support/program-options.ts'
import { ALL_FAULTS } from './faults.ts'
import { effectsTable } from './recovery-table.ts'
import { type ChaosReport, runChaos } from './run-chaos.ts'
import type { Backend } from './stores.ts'

const USAGE = `
Causes every kind of fault under load, and audits the gateway's ledger and ours.

usage: npm run chaos -- [options]

  --minutes N        how long it takes, for all backends together (3)
  --seed N           repeats the faults of an earlier run
  --backend NAME     postgres, redis or both (both)
  --faults PATTERN   only faults whose name or kind matches, such as 'half-open|clock'
  --gateway NAME     sandbox, or stripe through a stand-in (sandbox)

  npm run chaos -- --minutes 10 --seed 7 --backend redis
`

const { minutes, seed, backends, faults, gateway } = programOptions(
  USAGE,
  {
    minutes: { type: 'string', default: '3' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    backend: { type: 'string', default: 'both' },
    faults: { type: 'string', default: '' },
    gateway: { type: 'string', default: 'sandbox' },
  },
  (values) => ({
    minutes: numberOption('minutes', values.minutes, 0.05),
    seed: Math.floor(numberOption('seed', values.seed, 0)),
    backends: backendsOf(choiceOption('backend', values.backend, ['both', 'postgres', 'redis'])),
    faults: faultsNamed(values.faults),
    gateway: choiceOption('gateway', values.gateway, ['sandbox', 'stripe']),
  }),
)

process.once('exit', await buildProcesses())
for (const backend of backends) {
  const startedMs = performance.now()
  const elapsedMs = () => performance.now() - startedMs
  const report = await runChaos({
    backend,
    seed,
    faults,
    gateway,
    areRecoveriesMeasured: true,
    isOver: () => elapsedMs() > (minutes * 60_000) / backends.length,
    say: (line) => console.log(`${(elapsedMs() / 1_000).toFixed(1).padStart(7)} s  ${line}`),
  })
  console.log(summary(report))
  if (report.violations.length + report.crashed > 0) await complain(report)
}

function backendsOf(name: Backend | 'both'): readonly Backend[] {
  return name === 'both' ? ['postgres', 'redis'] : [name]
}

function faultsNamed(pattern: string): typeof ALL_FAULTS {
  const wanted = patternOf(pattern)
  const faults = ALL_FAULTS.filter(({ name, kind }) => wanted.test(name) || wanted.test(kind))
  if (faults.length > 0) return faults
  throw new OptionError(`--faults ${pattern}: it matches no fault`)
}

function patternOf(text: string): RegExp {
  try {
    return new RegExp(text, 'i')
  } catch {
    throw new OptionError(`--faults ${text}: it is not a regular expression`)
  }
}

function summary(report: ChaosReport): string {
  const faults = Object.entries(report.faults).map(([kind, count]) => `${count} × ${kind}`)
  const done = Object.entries(report.done).map(([type, count]) => `${count} × ${type}`)
  const lines: readonly (readonly [string, unknown])[] = [
    ['queues on', report.backend],
    ['seed', report.seed],
    ['accepted', `${report.transactions} (${report.succeeded} SUCCESS, ${report.failed} FAILED)`],
    ['done', done.join(', ')],
    ['declined afterwards', report.declinedFollowUps],
    ['in batches', `${report.batched} in ${report.batches}, ${report.deposits} deposits`],
    ['scheduled', `${report.runs} runs, ${report.retries} payments tried again`],
    ['invoices', `${report.invoices}, ${report.paidInvoices} of them paid`],
    ['refused', `${report.refused}, too late or too early`],
    ['answers', `${report.answers}, and ${report.unanswered} times none or 503`],
    ['of these, unexplained', `${report.failuresOutside}, while no fault was felt`],
    ['faults', faults.join(', ')],
    ['processes that gave up', `${report.gaveUp} at their start, ${report.crashed} later`],
    ['taken again', report.takenAgain],
    ['resolved by asking', report.doubted],
    ['slowest', `${report.slowestMs} ms`],
    ['last recovery', `${report.recoveryMs} ms`],
    [
      'audit',
      report.violations.length === 0 ? 'all is well' : `${report.violations.length} violations`,
    ],
  ]
  const table = effectsTable(report.effects).map((line) => `  ${line}`)
  const figures = lines.map(([name, value]) => `  ${name.padEnd(24)}${value}`)
  return ['', ...figures, '', ...table, ''].join('\n')
}

async function complain({ backend, violations, log }: ChaosReport): Promise<void> {
  const path = join(tmpdir(), `lamplighter-chaos-${backend}-${process.pid}.log`)
  await writeFile(path, log)
  for (const violation of violations) console.log(`  ✗ ${violation}`)
  console.log(`\n  what the processes logged: ${path}\n`)
  process.exitCode = 1
}
