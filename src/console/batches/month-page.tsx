// The page of a month: its sums, its days as bars and as a calendar, and its batches.

import type { FastifyInstance } from 'fastify'
import { MODES, type Mode } from '../../accounts/key.ts'
import { counted, grouped } from '../../core/counts.ts'
import { daysOfMonth, dayText, monthPlus, monthText, nextDay } from '../../core/month.ts'
import { dateText } from '../../core/whole-days.ts'
import {
  type DayOfBatches,
  daysOfBatches,
  everyBatchOf,
  listBatchesOfDays,
  type OperatorsBatch,
} from '../../settlement/month-of-batches.ts'
import { forReading, type World } from '../../world.ts'
import { answerConsole } from '../answer-console.tsx'
import { FilterForm, Notes, TextField } from '../parts/fields.tsx'
import { addListFile, DownloadLink, type ListFile } from '../parts/list-file.tsx'
import { numberedPage, Pager } from '../parts/pager.tsx'
import { Amount } from '../parts/shown.tsx'
import { BATCHES_PATH } from '../paths.ts'
import { pathWith, type QueryParams, queryOf } from '../query.ts'
import { Calendar } from './calendar.tsx'
import { BatchList } from './list.tsx'
import { type MonthRequest, readMonthRequest } from './month-request.ts'

const STYLES = ['charts.css', 'now.css'] as const

const BATCHES_A_PAGE = 25

export function monthPages(own: FastifyInstance, world: World): void {
  own.get('/batches', async (request, reply) => {
    const query = queryOf(request)
    const reading = forReading(world)
    const asked = await readMonthRequest(reading, query)
    return answerConsole(
      reply,
      { title: 'Batches', place: 'batches', scripts: ['charts.js', 'batches.js'], styles: STYLES },
      <MonthPage {...(await monthOf(reading, query, asked))} />,
    )
  })
  addListFile(own, world, BATCH_FILE)
}

const BATCH_FILE: ListFile<OperatorsBatch> = {
  place: 'batches',
  columns: [
    ['id', ({ row }) => row.id],
    ['business_date', ({ row }) => dateText(row.businessDate)],
    ['account_id', ({ row }) => row.accountId],
    ['team', ({ teamName }) => teamName],
    ['mode', ({ mode }) => mode],
    ['status', ({ row }) => row.status],
    ['count', ({ sums }) => sums.count],
    ['sales', ({ sums }) => sums.sales],
    ['refunds', ({ sums }) => sums.refunds],
    ['net', ({ sums }) => sums.sales - sums.refunds],
    ['cutoff_at', ({ row }) => row.cutoffAt],
    ['timezone', ({ row }) => row.timezone],
    ['closed_at', ({ row }) => row.closedAt],
  ],
  keyOf: ({ row }) => row.id,
  async find(world, query) {
    const asked = await readMonthRequest(world, query)
    const mode = asked.mode ?? modeOf(await daysOfBatches(world, asked.wanted))
    const { batches, pager } = await batchesOf(world, query, asked, mode)
    const { fault, ignored } = asked
    const faults = [...(fault === undefined ? [] : [fault]), ...ignored]
    const every = () => everyBatchOf(world, daysOf(asked), { ...asked.wanted, mode })
    return { ...pager, rows: batches, faults: Object.fromEntries(faults.entries()), every }
  },
}

/** The newest first, as on the page. */
function daysOf({ month, day }: MonthRequest): readonly string[] {
  return day === undefined ? daysOfMonth(month).toReversed() : [day]
}

async function monthOf(world: World, query: QueryParams, asked: MonthRequest) {
  const days = await daysOfBatches(world, asked.wanted)
  const mode = asked.mode ?? modeOf(days)
  return { query, asked, mode, days, ...(await batchesOf(world, query, asked, mode)) }
}

async function batchesOf(world: World, query: QueryParams, asked: MonthRequest, mode: Mode) {
  const { day, wanted } = asked
  const page = numberedPage({ ...query, mode }, BATCHES_A_PAGE)
  const span = day === undefined ? wanted : { ...wanted, first: day, next: nextDay(day) }
  const of = { mode, most: BATCHES_A_PAGE, skip: page.skip }
  const { rows: batches, pager } = page.show(await listBatchesOfDays(world, span, of))
  return { batches, pager }
}

/** Live mode, if the month has any live batches. */
function modeOf(days: readonly DayOfBatches[]): Mode {
  const isLive = days.some(({ mode }) => mode === 'live')
  return isLive || days.length === 0 ? 'live' : 'sandbox'
}

type Month = Awaited<ReturnType<typeof monthOf>>

function MonthPage({ query, asked, mode, days, batches, pager }: Month) {
  const own = days.filter((day) => day.mode === mode)
  const { month, day, today } = asked
  return (
    <>
      <Notes all={asked.ignored} />
      <MonthWays {...{ query, asked, mode, days }} />
      <TeamFilter query={query} asked={asked} />
      <MonthSums month={month} days={own} />
      <Calendar
        month={month}
        today={today}
        chosen={day}
        days={new Map(own.map((one) => [one.date, one]))}
        pathOf={(date) =>
          pathWith(BATCHES_PATH, query, { month, mode, day: date, page: undefined })
        }
      />
      <section class="part batch-list" id="batches">
        <div class="row">
          <h2>{day === undefined ? `Batches of ${monthText(month)}` : dayText(day)}</h2>
          {day === undefined ? null : (
            <a href={pathWith(BATCHES_PATH, query, { day: undefined, page: undefined })}>
              the whole month
            </a>
          )}
        </div>
        <BatchList batches={batches} />
        <Pager path={BATCHES_PATH} {...pager} />
        {batches.length === 0 ? null : (
          <DownloadLink
            place="batches"
            query={{ ...query, month, mode }}
            mostRows="all"
            isFaulty={asked.ignored.length > 0}
          />
        )}
      </section>
    </>
  )
}

/** Live mode comes first. */
const MODES_SHOWN = [...MODES].reverse()

function MonthWays({ query, asked: { month }, mode, days }: Omit<Month, 'batches' | 'pager'>) {
  const to = (changes: Readonly<Record<string, string>>) =>
    pathWith(BATCHES_PATH, query, { month, mode, day: undefined, page: undefined, ...changes })
  const [before, after] = [monthPlus(month, -1), monthPlus(month, 1)]
  return (
    <div class="month-ways">
      <nav class="months" aria-label="Months">
        <a class="button plain" href={to({ month: before })} aria-label={monthText(before)}>
          ←
        </a>
        <h2>{monthText(month)}</h2>
        <a class="button plain" href={to({ month: after })} aria-label={monthText(after)}>
          →
        </a>
      </nav>
      <nav class="choices" aria-label="Mode">
        {MODES_SHOWN.map((one) => (
          <a key={one} href={to({ mode: one })} aria-current={one === mode ? 'true' : undefined}>
            {one} <span class="quiet number">{days.filter((day) => day.mode === one).length}</span>
            <span class="hidden"> days with batches</span>
          </a>
        ))}
      </nav>
    </div>
  )
}

function TeamFilter({ query, asked }: Pick<Month, 'query' | 'asked'>) {
  const { month, mode } = asked
  return (
    <FilterForm path={BATCHES_PATH} isFiltered={query.team !== undefined} fields={{ month, mode }}>
      <TextField
        name="team"
        label="Team"
        value={query.team}
        placeholder="Its name or id"
        fault={asked.fault}
      />
    </FilterForm>
  )
}

function MonthSums({ month, days }: { month: string; days: readonly DayOfBatches[] }) {
  const cents = (of: 'sales' | 'refunds') => days.reduce((all, day) => all + day[of], 0n)
  const count = days.reduce((all, day) => all + day.count, 0)
  const open = days.reduce((all, day) => all + day.open + day.closing, 0)
  const [sales, refunds] = [cents('sales'), cents('refunds')]
  return (
    <figure class="card chart">
      <figcaption>
        <dl class="sums">
          {Object.entries({ Sales: sales, Refunds: refunds, Net: sales - refunds }).map(
            ([name, sum]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <Amount cents={sum} />
                </dd>
              </div>
            ),
          )}
          <div>
            <dt>Sales and refunds</dt>
            <dd class="number">{grouped(count)}</dd>
          </div>
        </dl>
        <ul class="key">
          <li data-line="sales">sales</li>
          <li data-line="refunds">refunds</li>
        </ul>
        <p class="quiet" id="month-words">
          <span id="pointed">{monthWords(days, open)}</span>
        </p>
      </figcaption>
      {days.length === 0 ? null : (
        <div
          class="plot"
          id="month-chart"
          role="img"
          aria-label={`Chart: sales and refunds of each day of ${monthText(month)}`}
          aria-describedby="month-words"
        />
      )}
    </figure>
  )
}

function monthWords(days: readonly DayOfBatches[], open: number): string {
  if (days.length === 0) return 'No batches this month.'
  const text = `On ${counted(days.length, 'day')}`
  if (open === 0) return `${text}; all of them are closed.`
  const still = counted(open, 'batch is', 'batches are')
  if (days.every(({ isWhole }) => isWhole))
    return `${text}; ${still} not closed: counted as of now.`
  return `${text}; ${still} not closed, too many to be added up here.`
}
