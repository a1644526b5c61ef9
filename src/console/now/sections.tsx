// The sections of the console's first page: tiles, charts, queues, backlog and processes.

import { isOff } from '../../core/clock-skew.ts'
import { capitalized } from '../../core/sentence.ts'
import type { ProcessHeartbeat } from '../../generated/client.ts'
import { QUEUE_NAMES, type QueueName } from '../../queue/catalogue.ts'
import { DUE_KINDS, DUE_NAMES, type DueKind } from '../../upkeep/due-by-kind.ts'
import { skewText } from '../../upkeep/shown-figures.ts'
import { type Column, RowTable } from '../parts/row-table.tsx'
import { Table } from '../parts/shown.tsx'
import {
  BATCHES_PATH,
  PARKED_PATH,
  queuePath,
  SCHEDULES_PATH,
  TRANSACTIONS_PATH,
  WORKERS_PATH,
} from '../paths.ts'
import { JOB_STATES, type ShownFigures } from './shown-now.ts'
import { spanText } from './wording.ts'

export function QueuesTable({ of }: { of: ShownFigures }) {
  const columns: readonly Column<QueueName>[] = [
    {
      head: 'Queue',
      isMain: true,
      cell: (name) => (
        <>
          <a href={queuePath(name)}>{name}</a>{' '}
          <Live name={`queue.${name}.paused`} of={of} class="word" />
        </>
      ),
    },
    ...JOB_STATES.map((state) => ({
      head: capitalized(state),
      class: 'number',
      named: state,
      cell: (name: QueueName) => <Live name={`queue.${name}.${state}`} of={of} />,
    })),
  ]
  return (
    <section class="part numbers">
      <h2>Queues</h2>
      <p class="fault">
        <Live name="queues.away" of={of} />
      </p>
      <RowTable title="Jobs in each queue" columns={columns} rows={QUEUE_NAMES} />
    </section>
  )
}

const PENDING = `${TRANSACTIONS_PATH}?status=PENDING`

/** The list of the due work of a kind, if there is one. */
const DUE_LISTS: Readonly<Partial<Record<DueKind, string>>> = {
  charge: PENDING,
  refund: PENDING,
  doubt: PENDING,
  batch: BATCHES_PATH,
  schedule: `${SCHEDULES_PATH}?state=overdue`,
  email: queuePath('email'),
  sms: queuePath('sms'),
  webhook: queuePath('webhook'),
}

function Linked({ to, children }: { to: string | undefined; children: string }) {
  return to === undefined ? children : <a href={to}>{children}</a>
}

export function BacklogTable({ of }: { of: ShownFigures }) {
  const figure = (head: string, name: 'count' | 'oldest'): Column<DueKind> => ({
    head,
    class: 'number',
    named: true,
    cell: (kind) => <Live name={`due.${kind}.${name}`} of={of} />,
  })
  const columns: readonly Column<DueKind>[] = [
    {
      head: 'Kind',
      isMain: true,
      cell: (kind) => (
        <>
          <Linked to={DUE_LISTS[kind]}>{DUE_NAMES[kind][1]}</Linked>
          <Live name={`due.${kind}.note`} of={of} class="quiet below" />
        </>
      ),
    },
    figure('Items', 'count'),
    figure('Oldest', 'oldest'),
  ]
  return (
    <section class="part numbers">
      <h2 id="backlog">Backlog</h2>
      <RowTable title="Overdue items by kind" columns={columns} rows={DUE_KINDS} />
    </section>
  )
}

/** The cells of a process, in the order of PROCESS_HEADS. */
export function processCells(process: ProcessHeartbeat, now: Date): readonly string[] {
  const { role, host, pid, version, queues, startedAt } = process
  const work = queues.length === QUEUE_NAMES.length ? 'all' : queues.join(', ') || 'none'
  const lives = spanText(Math.max(0, now.getTime() - startedAt.getTime()))
  return [role, stateOf(process), `${host} · ${pid}`, work, version, lives]
}

function stateOf({ isDraining, clockSkewMs }: ProcessHeartbeat): string {
  if (isDraining) return 'ending'
  if (!isOff(clockSkewMs)) return 'alive'
  return `clock ${skewText(clockSkewMs)}`
}

const PROCESS_HEADS = ['Role', 'State', 'Host', 'Queues', 'Version', 'Running for']

export function ProcessesTable({ rows }: { rows: readonly (readonly string[])[] }) {
  return (
    <section class="part processes">
      <h2 id="processes">Processes</h2>
      <Table title="Running processes" heads={PROCESS_HEADS}>
        {rows.map((cells) => (
          <tr key={cells.join()}>
            {cells.map((cell, place) => (
              <td key={PROCESS_HEADS[place]}>{cell}</td>
            ))}
          </tr>
        ))}
      </Table>
    </section>
  )
}

interface LiveProps {
  readonly name: string
  readonly of: ShownFigures
  readonly class?: string
}

/** A figure that the script updates, in an element that it finds by its name. */
export function Live({ name, of, class: kind }: LiveProps) {
  const { text, tone } = of[name] ?? { text: '–', tone: '' }
  return (
    <span class={kind} data-now={name} data-tone={tone}>
      {text}
    </span>
  )
}

const TILES = [
  ['tile.charges', 'Charges a minute', undefined, TRANSACTIONS_PATH],
  ['tile.success', 'Approval rate', 'last minute', `${TRANSACTIONS_PATH}?status=FAILED`],
  ['tile.p50', 'Median latency', 'last minute'],
  ['tile.p99', 'p99 latency', 'last minute'],
  ['tile.overdue', 'Oldest overdue item', undefined, '#backlog'],
  ['tile.parked', 'Needs attention', undefined, PARKED_PATH],
  ['tile.workers', 'Workers', undefined, WORKERS_PATH],
  ['tile.apis', 'API servers', 'answering requests', '#processes'],
] as const

/** The current figures, large enough to be read from a distance. */
export function Tiles({ of }: { of: ShownFigures }) {
  return (
    <dl class="tiles">
      {TILES.map(([name, title, note, path]) => (
        <div key={name} class="card tile">
          <dt>
            <Linked to={path}>{title}</Linked>
          </dt>
          <dd>
            <Live name={name} of={of} class="figure number" />
            <span class="quiet">{note ?? <Live name={`${name}.note`} of={of} />}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

interface Chart {
  readonly name: string
  readonly title: string
  readonly lines: readonly (readonly [key: string, words: string])[]
}

const CHARTS: readonly Chart[] = [
  {
    name: 'charges',
    title: 'Charges a minute',
    lines: [
      ['approved', 'approved'],
      ['declined', 'declined'],
    ],
  },
  { name: 'success', title: 'Approval rate', lines: [['success', 'approved']] },
  {
    name: 'latency',
    title: 'Latency',
    lines: [
      ['p50', 'median'],
      ['p99', 'p99'],
    ],
  },
  {
    name: 'depth',
    title: 'Jobs in the queues',
    lines: [
      ['waiting', 'waiting'],
      ['active', 'active'],
    ],
  },
]

/**
 * The charts of the last hour. A script draws them. Each says in words what it shows, for readers
 * who cannot see it or run no script.
 */
export function Charts({ of }: { of: ShownFigures }) {
  return (
    <section class="charts" aria-label="The last hour">
      <noscript>
        <p class="note">The charts need scripts. The figures above and below do not.</p>
      </noscript>
      {CHARTS.map(({ name, title, lines }) => (
        <figure key={name} class="card chart">
          <figcaption>
            <h2>{title}</h2>
            <p class="quiet" id={`${name}-words`}>
              <Live name={`chart.${name}`} of={of} />
            </p>
            <ul class="key">
              {lines.map(([key, words]) => (
                <li key={key} data-line={key}>
                  {words} <b class="number" data-value={key} />
                </li>
              ))}
            </ul>
          </figcaption>
          <div
            class="plot"
            data-chart={name}
            role="img"
            aria-label={`Chart: ${title}`}
            aria-describedby={`${name}-words`}
          />
        </figure>
      ))}
    </section>
  )
}
