// The work of each queue and each process in the last minutes, hour or day, and its speed: it shows
// slow workers and failing jobs.

import type { FastifyInstance } from 'fastify'
import { grouped } from '../../core/counts.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../core/time-units.ts'
import type { ProcessHeartbeat } from '../../generated/client.ts'
import { listProcesses, namesOfVanished, processNameOf } from '../../upkeep/keep-heartbeat.ts'
import type { QueueWork } from '../../upkeep/work.ts'
import { addedUp, type ProcessWork, workOfProcesses } from '../../upkeep/work-of-processes.ts'
import { HIDDEN } from '../../web/hidden.ts'
import { answerHtml } from '../../web/html.ts'
import type { World } from '../../world.ts'
import { ConsolePage } from '../layout.tsx'
import { processCells } from '../now/sections.tsx'
import { rateText, spanText } from '../now/wording.ts'
import { UnknownFilters } from '../parts/fields.tsx'
import { Table } from '../parts/shown.tsx'
import { choiceOf, notAChoice, pathWith, type QueryParams, queryOf } from '../query.ts'
import { operatorOf } from '../who.ts'

const PATH = '/admin/workers'

const SPANS = ['minutes', 'hour', 'day'] as const

type Span = (typeof SPANS)[number]

const LENGTHS: Readonly<Record<Span, readonly [ms: number, words: string]>> = {
  minutes: [10 * MINUTE, '10 minutes'],
  hour: [HOUR, 'hour'],
  day: [DAY, 'day'],
}

/** A process is slow if its rows take so many times as long as those of all processes. */
const SLOW = 2

export function workerPages(own: FastifyInstance, world: World): void {
  own.get('/workers', HIDDEN, async (request, reply) => {
    const query = queryOf(request)
    const span = choiceOf(query, 'last', SPANS) ?? 'hour'
    const [works, processes, vanished] = await Promise.all([
      workOfProcesses(world, LENGTHS[span][0]),
      listProcesses(world),
      namesOfVanished(world),
    ])
    const seen = { works, processes, vanished, now: world.clock.now(), lastMs: LENGTHS[span][0] }
    const isOdd = query.last !== undefined && query.last !== span
    return answerHtml(
      reply,
      <ConsolePage title="Workers" place="workers" operator={operatorOf(request)}>
        <SpanChoice query={query} span={span} />
        {isOdd ? <p class="note">{notAChoice(query.last ?? '')}</p> : null}
        <UnknownFilters query={query} known={['last']} />
        <p class="quiet">
          A run is a row of work, an attempt to deliver a message, or a look for what is due.
        </p>
        <QueuesPart {...seen} />
        <ProcessesPart {...seen} />
        <MatrixPart {...seen} />
      </ConsolePage>,
    )
  })
}

interface PartProps {
  readonly works: readonly ProcessWork[]
  readonly processes: readonly ProcessHeartbeat[]
  readonly vanished: ReadonlySet<string>
  readonly now: Date
  readonly lastMs: number
}

function SpanChoice({ query, span }: { query: QueryParams; span: Span }) {
  return (
    <nav class="choices" aria-label="How far back">
      {SPANS.map((one) => (
        <a
          key={one}
          href={pathWith(PATH, query, { last: one })}
          aria-current={one === span ? 'true' : undefined}
        >
          Last {LENGTHS[one][1]}
        </a>
      ))}
    </nav>
  )
}

const WORK_HEADS = ['Runs', 'A minute', 'Failed', 'Mean wait', 'Mean run']

function QueuesPart({ works, lastMs }: PartProps) {
  const names = [...new Set(works.map(({ queue }) => queue))].sort()
  return (
    <section class="part">
      <h2>Queues</h2>
      <Table
        title="Work by queue"
        heads={['Queue', ...WORK_HEADS]}
        isEmpty={names.length === 0}
        whenEmpty="No job ran."
      >
        {names.map((name) => (
          <tr key={name}>
            <td class="main">
              <a href={`/admin/queues/queue/${name}`}>{name}</a>
            </td>
            <WorkCells of={addedUp(works.filter(({ queue }) => queue === name))} lastMs={lastMs} />
          </tr>
        ))}
      </Table>
    </section>
  )
}

function ProcessesPart({ works, processes, vanished, now, lastMs }: PartProps) {
  const living = new Map(processes.map((one) => [processNameOf(one), one]))
  const names = [...new Set([...living.keys(), ...works.map(({ process }) => process)])]
  return (
    <section class="part">
      <h2>Processes</h2>
      <Table
        title="Work by process"
        heads={['Process', 'Role', 'State', 'Running for', ...WORK_HEADS]}
        isEmpty={names.length === 0}
        whenEmpty="No process has sent a heartbeat."
      >
        {names.map((name) => (
          <tr key={name}>
            <td class="main">{name}</td>
            <Living of={living.get(name)} hasVanished={vanished.has(name)} now={now} />
            <WorkCells
              of={addedUp(works.filter(({ process }) => process === name))}
              lastMs={lastMs}
            />
          </tr>
        ))}
      </Table>
    </section>
  )
}

interface LivingProps {
  readonly of: ProcessHeartbeat | undefined
  readonly hasVanished: boolean
  readonly now: Date
}

function Living({ of, hasVanished, now }: LivingProps) {
  if (of === undefined) {
    return (
      <>
        <td>–</td>
        <td>{hasVanished ? <span class="word bad">vanished</span> : 'ended'}</td>
        <td class="number">–</td>
      </>
    )
  }
  const [role, state, , , , lives] = processCells(of, now)
  return (
    <>
      <td>{role}</td>
      <td>{state}</td>
      <td class="number">{lives}</td>
    </>
  )
}

function MatrixPart({ works, lastMs }: PartProps) {
  const usual = new Map(
    works.map(({ queue }) => [
      queue,
      meanRunMs(addedUp(works.filter((one) => one.queue === queue))),
    ]),
  )
  return (
    <section class="part">
      <h2>Each process, by queue</h2>
      <Table
        title="Work by process and queue"
        heads={['Process', 'Queue', ...WORK_HEADS]}
        isEmpty={works.length === 0}
        whenEmpty="No job ran."
      >
        {works.map((work) => (
          <tr key={`${work.process} ${work.queue}`}>
            <td class="main">{work.process}</td>
            <td>{work.queue}</td>
            <WorkCells of={work} lastMs={lastMs} usualMs={usual.get(work.queue)} />
          </tr>
        ))}
      </Table>
    </section>
  )
}

interface WorkCellsProps {
  readonly of: QueueWork
  readonly lastMs: number
  /** The mean run time of all processes, to compare with. */
  readonly usualMs?: number | undefined
}

function WorkCells({ of, lastMs, usualMs }: WorkCellsProps) {
  const runMs = meanRunMs(of)
  const isSlow = runMs !== undefined && usualMs !== undefined && runMs >= SLOW * usualMs
  return (
    <>
      <td class="number" data-head="Runs">
        {grouped(of.rows)}
      </td>
      <td class="number" data-head="A minute">
        {rateText((of.rows / lastMs) * MINUTE)}
      </td>
      <td class="number" data-head="Failed">
        {of.failed === 0 ? '0' : <span class="word bad">{grouped(of.failed)}</span>}
      </td>
      <td class="number" data-head="Mean wait">
        {timeText(meanMs(of.waitSeconds, of.jobs))}
      </td>
      <td class="number" data-head="Mean run">
        {timeText(runMs)} {isSlow ? <span class="word wait">slow</span> : null}
      </td>
    </>
  )
}

function meanRunMs({ runSeconds, rows }: QueueWork): number | undefined {
  return meanMs(runSeconds, rows)
}

function meanMs(seconds: number, count: number): number | undefined {
  return count === 0 ? undefined : (seconds / count) * SECOND
}

function timeText(ms: number | undefined): string {
  return ms === undefined ? '–' : spanText(ms)
}
