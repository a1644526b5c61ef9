// `npm run chaos`: the long form of the kill tests.
//
//   npm run chaos -- --minutes 10 --seed 7 --backend redis
//   npm run chaos -- --faults 'half-open|clock'        by their names and kinds
//   npm run chaos -- --gateway stripe                  through a stand-in for it

import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildProcesses } from '../support/built.ts'
import { type ChaosReport, runChaos } from './conductor.ts'
import { DECK } from './faults.ts'
import { feltTable } from './recovery-table.ts'
import type { Backend } from './stores.ts'

const USAGE =
  'usage: npm run chaos -- [--minutes 3] [--seed N] [--backend both|postgres|redis] [--faults PATTERN] [--gateway sandbox|stripe]'

const values = readOptions()
const minutes = Number(values.minutes)
const seed = Number(values.seed)
const backends = backendsOf(values.backend)
const wanted = new RegExp(values.faults, 'i')
const { gateway } = values
const deck = DECK.filter(({ name, kind }) => wanted.test(name) || wanted.test(kind))
const isGateway = gateway === 'sandbox' || gateway === 'stripe'
const isRun = deck.length > 0 && minutes > 0 && Number.isInteger(seed)
if (!isRun || !isGateway || backends === undefined) {
  console.error(USAGE)
  process.exit(2)
}

process.once('exit', await buildProcesses())
for (const backend of backends) {
  const startedMs = performance.now()
  const elapsedMs = () => performance.now() - startedMs
  const report = await runChaos({
    backend,
    seed,
    deck,
    gateway,
    areRecoveriesMeasured: true,
    isOver: () => elapsedMs() > (minutes * 60_000) / backends.length,
    say: (line) => console.log(`${(elapsedMs() / 1_000).toFixed(1).padStart(7)} s  ${line}`),
  })
  console.log(summary(report))
  if (report.violations.length + report.crashed > 0) await complain(report)
}

/** Ends the process after `--help` or a wrong option. */
function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        minutes: { type: 'string', default: '3' },
        seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
        backend: { type: 'string', default: 'both' },
        faults: { type: 'string', default: '' },
        gateway: { type: 'string', default: 'sandbox' },
      },
    })
    if (!values.help) return values
    console.log(USAGE)
    process.exit(0)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    console.error(USAGE)
    process.exit(2)
  }
}

function backendsOf(text: string): readonly Backend[] | undefined {
  if (text === 'both') return ['postgres', 'redis']
  return text === 'postgres' || text === 'redis' ? [text] : undefined
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
  const table = feltTable(report.felt).map((line) => `  ${line}`)
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
