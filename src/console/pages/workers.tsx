// The work of each queue and each process in the last minutes, hour or day, and its speed: it shows
// slow workers and failing jobs.

import type { FastifyInstance } from 'fastify'
import { counted, grouped } from '../../core/counts.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../core/time-units.ts'
import { isStandbyOfPrimary } from '../../db/replica.ts'
import type { ProcessHeartbeat } from '../../generated/client.ts'
import { listProcesses, namesOfVanished, processNameOf } from '../../upkeep/keep-heartbeat.ts'
import type { QueueWork } from '../../upkeep/measured-work.ts'
import { addedUp, type ProcessWork, workOfProcesses } from '../../upkeep/work-of-processes.ts'
import type { World } from '../../world.ts'
import { answerConsole } from '../answer-console.tsx'
import { processCells } from '../now/sections.tsx'
import { rateText, spanText } from '../now/wording.ts'
import { Notes } from '../parts/fields.tsx'
import { type Column, TablePart } from '../parts/row-table.tsx'
import { queuePath, WORKERS_PATH } from '../paths.ts'
import {
  choiceOf,
  notAChoice,
  pathWith,
  type QueryParams,
  queryOf,
  unknownNotes,
} from '../query.ts'

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
  own.get('/workers', async (request, reply) => {
    const query = queryOf(request)
    const span = choiceOf(query, 'last', SPANS) ?? 'hour'
    const [works, processes, vanished, replica] = await Promise.all([
      workOfProcesses(world, LENGTHS[span][0]),
      listProcesses(world),
      namesOfVanished(world),
      replicaNote(world),
    ])
    const seen = { works, processes, vanished, now: world.clock.now(), lastMs: LENGTHS[span][0] }
    const isOdd = query.last !== undefined && query.last !== span
    return answerConsole(
      reply,
      { title: 'Workers', place: 'workers' },
      <>
        <SpanChoice query={query} span={span} />
        {isOdd ? <p class="note">{notAChoice(query.last ?? '')}</p> : null}
        <Notes all={unknownNotes(query, ['last'])} />
        <p class="quiet">
          A run is a row of work, an attempt to deliver a message, or a look for what is due.
        </p>
        <QueuesPart {...seen} />
        <ProcessesPart {...seen} />
        <MatrixPart {...seen} />
        {replica === undefined ? null : <p class="quiet">{replica}</p>}
      </>,
    )
  })
}

/** Who answers lists and files. Undefined where only the primary could. */
async function replicaNote({ replica }: World): Promise<string | undefined> {
  if (replica === undefined) return undefined
  const look = await replica.look().catch(() => undefined)
  if (look === undefined) return 'The replica is away: the primary answers lists and files.'
  if (!isStandbyOfPrimary(look)) {
    return 'READ_DATABASE_URL names no standby of the primary, which answers lists and files.'
  }
  const behind = counted(look.behindBytes, 'byte')
  return `The replica answers lists and files. It is ${behind} of the log behind the primary.`
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
          href={pathWith(WORKERS_PATH, query, { last: one })}
          aria-current={one === span ? 'true' : undefined}
        >
          Last {LENGTHS[one][1]}
        </a>
      ))}
    </nav>
  )
}

/** A line of a table: some work, and how long its rows take in all processes, to compare with. */
interface WorkRow {
  readonly work: QueueWork
  readonly usualMs?: number | undefined
}

function workColumns(lastMs: number): readonly Column<WorkRow>[] {
  const figure = { class: 'number count', named: true } as const
  return [
    { head: 'Runs', ...figure, cell: ({ work }) => grouped(work.rows) },
    {
      head: 'A minute',
      ...figure,
      cell: ({ work }) => rateText((work.rows / lastMs) * MINUTE),
    },
    {
      head: 'Failed',
      ...figure,
      cell: ({ work: { failed } }) =>
        failed === 0 ? '0' : <span class="word bad">{grouped(failed)}</span>,
    },
    {
      head: 'Mean wait',
      ...figure,
      cell: ({ work }) => timeText(meanMs(work.waitSeconds, work.jobs)),
    },
    { head: 'Mean run', ...figure, cell: (row) => <MeanRun {...row} /> },
  ]
}

function MeanRun({ work, usualMs }: WorkRow) {
  const runMs = meanRunMs(work)
  const isSlow = runMs !== undefined && usualMs !== undefined && runMs >= SLOW * usualMs
  return (
    <>
      {timeText(runMs)} {isSlow ? <span class="word wait">slow</span> : null}
    </>
  )
}

function QueuesPart({ works, lastMs }: PartProps) {
  const names = [...new Set(works.map(({ queue }) => queue))].sort()
  const rows = names.map((name) => ({
    name,
    work: addedUp(works.filter(({ queue }) => queue === name)),
  }))
  return (
    <TablePart
      id="queues"
      title="Work by queue"
      columns={[
        { head: 'Queue', isMain: true, cell: ({ name }) => <a href={queuePath(name)}>{name}</a> },
        ...workColumns(lastMs),
      ]}
      rows={rows}
      whenEmpty="No job ran."
    />
  )
}

function ProcessesPart({ works, processes, vanished, now, lastMs }: PartProps) {
  const living = new Map(processes.map((one) => [processNameOf(one), one]))
  const names = [...new Set([...living.keys(), ...works.map(({ process }) => process)])]
  const rows = names.map((name) => ({
    name,
    ...lifeOf(living.get(name), now, vanished.has(name)),
    work: addedUp(works.filter(({ process }) => process === name)),
  }))
  return (
    <TablePart
      id="processes"
      title="Work by process"
      columns={[
        { head: 'Process', isMain: true, cell: ({ name }) => name },
        { head: 'Role', cell: ({ role }) => role },
        { head: 'State', cell: ({ state }) => state },
        { head: 'Running for', class: 'number', cell: ({ lives }) => lives },
        ...workColumns(lastMs),
      ]}
      rows={rows}
      whenEmpty="No process has sent a heartbeat."
    />
  )
}

/** Undefined for a process that has ended or vanished. */
function lifeOf(process: ProcessHeartbeat | undefined, now: Date, hasVanished: boolean) {
  if (process === undefined) {
    const state = hasVanished ? <span class="word bad">vanished</span> : 'ended'
    return { role: '–', state, lives: '–' }
  }
  const [role, state, , , , lives] = processCells(process, now)
  return { role, state, lives }
}

function MatrixPart({ works, lastMs }: PartProps) {
  const usual = new Map(
    works.map(({ queue }) => [
      queue,
      meanRunMs(addedUp(works.filter((one) => one.queue === queue))),
    ]),
  )
  return (
    <TablePart
      id="each-process"
      title="Work by process and queue"
      columns={[
        { head: 'Process', isMain: true, cell: ({ work }) => work.process },
        { head: 'Queue', cell: ({ work }) => work.queue },
        ...workColumns(lastMs),
      ]}
      rows={works.map((work) => ({ work, usualMs: usual.get(work.queue) }))}
      whenEmpty="No job ran."
    />
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
