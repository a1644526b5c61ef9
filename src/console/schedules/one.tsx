// One schedule: when it runs, its past runs, and its actions. Operators pause, resume and delete
// with the same actions as merchants.

import type { AccountWithTeam } from '../../accounts/find-teams.ts'
import { grouped } from '../../core/counts.ts'
import { capitalized } from '../../core/sentence.ts'
import { wallAt } from '../../core/wall-clock.ts'
import type { RowKey } from '../../db/columns.ts'
import { changeSchedule } from '../../schedules/change-schedule.ts'
import { deleteSchedule } from '../../schedules/delete-schedule.ts'
import { listRuns, type PastRun } from '../../schedules/list-runs.ts'
import { isScheduleParkedReason, PARKED_SCHEDULE_REASONS } from '../../schedules/plan-runs.ts'
import { findSchedule } from '../../schedules/schedule.ts'
import { shownOutlook, shownRuleText } from '../../schedules/schedule-outlook.ts'
import type { FoundSchedule } from '../../schedules/schedules-anywhere.ts'
import type { World } from '../../world.ts'
import { auditInCommit, namedInAccount, type ObjectParams, operatorContext } from '../account-of.ts'
import { CustomerLink } from '../customers/list.tsx'
import { InvoiceStateWord } from '../invoices/list.tsx'
import { ActionButton } from '../parts/action-form.tsx'
import type { Acting, ObjectPage } from '../parts/object-page.tsx'
import { numberedPage, Pager } from '../parts/pager.tsx'
import { type Column, RowTable } from '../parts/row-table.tsx'
import { FactCard, type Facts, Id, LocalAt, OwnId, personName, spaced } from '../parts/shown.tsx'
import {
  invoicePath,
  SCHEDULES_PATH,
  schedulePath,
  TRANSACTIONS_PATH,
  teamPath,
  transactionPath,
} from '../paths.ts'
import { LastRun, NextRun, ScheduleState } from './list.tsx'

const A_PAGE = 25

interface ScheduleAt {
  readonly account: AccountWithTeam
  readonly schedule: FoundSchedule
}

export const ONE_SCHEDULE: ObjectPage<ObjectParams, ScheduleAt> = {
  place: 'schedules',
  styles: ['now.css'],
  async find(world, params) {
    const find = ({ db }: World, key: RowKey) => findSchedule(db.query, key)
    const { account, found: row } = await namedInAccount(world, params, 'schedule', find)
    const { team, mode, clockAt } = account
    const now = world.accountNow({ clockAt })
    const own = { teamId: team.id, teamName: team.name, mode, now, hasOwnClock: clockAt !== null }
    return { account, schedule: { ...row, ...own } }
  },
  title: ({ schedule }) => `Schedule of ${personName(schedule.customer)}`,
  async body({ world, found: { schedule }, query }) {
    const page = numberedPage(query, A_PAGE)
    const read = await listRuns(world, schedule, { skip: page.skip, most: A_PAGE })
    const { rows, pager } = page.show(read)
    return (
      <>
        <p>
          <a href={SCHEDULES_PATH}>All schedules</a>
        </p>
        <p class="rule">{capitalized(shownRuleText(schedule))}</p>
        <Actions of={schedule} />
        <FactCard of={factsOf(schedule)} />
        <Coming of={schedule} />
        <section class="part runs">
          <h2>Runs so far</h2>
          <RowTable
            title="Runs so far"
            columns={runColumns(schedule)}
            rows={rows}
            whenEmpty="It has not run yet."
          />
          <Pager path={schedulePath(schedule)} {...pager} />
        </section>
      </>
    )
  },
  actions: {
    pause: (acting) => act(acting, withStatus('paused'), 'paused', PAUSED_WORDS),
    resume: (acting) => act(acting, withStatus('active'), 'resumed', 'The schedule runs again.'),
    delete: (acting) => act(acting, deleteSchedule, 'deleted', 'The schedule is deleted.'),
  },
}

const WAS_ALREADY = {
  paused: 'The schedule was paused already.',
  resumed: 'The schedule was active already.',
  deleted: 'The schedule was deleted already.',
}

const withStatus =
  (status: 'paused' | 'active'): typeof deleteSchedule =>
  (world, context, id, record) =>
    changeSchedule(world, context, id, { fields: {}, timing: {}, status, fixed: {} }, record)

async function act(
  acting: Acting<ScheduleAt>,
  change: typeof deleteSchedule,
  done: keyof typeof WAS_ALREADY,
  words: string,
): Promise<string> {
  const { world, request, found } = acting
  const { account, schedule } = found
  const audit = auditInCommit(acting, account, `schedule ${done}`, schedule.id)
  let isChanged = false
  await change(world, operatorContext(request, account), schedule.id, async (query) => {
    isChanged = true
    await audit(query)
  })
  return isChanged ? words : WAS_ALREADY[done]
}

function factsOf(schedule: FoundSchedule): Facts {
  const { id, teamId, teamName, mode } = schedule
  return {
    State: <ScheduleState of={schedule} />,
    'Next run': <NextRun of={schedule} />,
    Amount: schedule.total,
    Customer: <CustomerLink of={schedule.customer} />,
    'Paid by': paidBy(schedule),
    'Last run': <LastRun of={schedule} />,
    Runs: runsText(schedule),
    'Missed runs': MISSED[schedule.missedRuns],
    Team: <a href={teamPath(teamId)}>{teamName}</a>,
    Mode: mode,
    Zone: spaced(schedule.timezone),
    Rule: <code>{schedule.rule}</code>,
    Id: <OwnId id={id} />,
    'Needs attention': whyParked(schedule),
    Payments: <a href={`${TRANSACTIONS_PATH}?q=${id}`}>Payments of this schedule</a>,
  }
}

function whyParked({ parkedReason }: FoundSchedule): string | undefined {
  if (!isScheduleParkedReason(parkedReason)) return undefined
  return `The service has paused it: ${PARKED_SCHEDULE_REASONS[parkedReason]}.`
}

const PAUSED_WORDS =
  'The schedule is paused. Failed payments of its earlier runs are still retried.'

const ASKS_TO_DELETE =
  'Delete this schedule? It stops running, and its failed payments are not retried.'

const MISSED = {
  all: 'each is made up for',
  one: 'the last stands for all',
  skip: 'left out',
} as const

function paidBy({ paymentMethod }: FoundSchedule): string {
  if (paymentMethod === null) return 'the customer, by the bill'
  const { method, cardType, bankName, lastFour } = paymentMethod
  return [cardType ?? bankName ?? method, lastFour && `··${lastFour}`].filter(Boolean).join(' ')
}

function runsText({ count, maxRuns }: FoundSchedule): string {
  return maxRuns === null ? grouped(count) : `${grouped(count)} of ${grouped(maxRuns)}`
}

function Actions({ of }: { of: FoundSchedule }) {
  if (of.status === 'deleted') return null
  const path = schedulePath(of)
  const other = of.status === 'paused' ? 'resume' : 'pause'
  return (
    <>
      <div class="row actions">
        <ActionButton to={`${path}/${other}`} kind="plain">
          {other === 'pause' ? 'Pause schedule' : 'Resume schedule'}
        </ActionButton>
        <ActionButton to={`${path}/delete`} asks={ASKS_TO_DELETE} kind="danger">
          Delete schedule
        </ActionButton>
      </div>
      <p class="quiet">
        While paused, it skips its runs, but failed payments of earlier runs are still retried. Once
        deleted, it begins no more charges.
      </p>
    </>
  )
}

function Coming({ of }: { of: FoundSchedule }) {
  if (of.nextRunAt === null) return null
  const { timezone, nextRunAt } = of
  const coming = [nextRunAt, ...shownOutlook(of).later]
  const offset = (at: Date) => wallAt(at.getTime(), timezone) - at.getTime()
  return (
    <section class="part">
      <h2>Upcoming runs</h2>
      <ol class="coming card">
        {coming.map((at, place) => (
          <li key={at.getTime()}>
            <LocalAt instant={at} zone={timezone} />{' '}
            {place > 0 && offset(at) !== offset(coming[place - 1] ?? at) ? (
              <span class="word">after the clocks change</span>
            ) : null}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The runs of a schedule, each with its invoice and what was paid of it. */
function runColumns({ accountId, timezone }: FoundSchedule): readonly Column<PastRun>[] {
  return [
    { head: 'Due', cell: ({ occursAt }) => <LocalAt instant={occursAt} zone={timezone} /> },
    {
      head: 'Invoice',
      isMain: true,
      cell: ({ invoice }) =>
        invoice === undefined ? (
          <span class="quiet">missed, and skipped</span>
        ) : (
          <Id id={invoice.id} to={invoicePath({ accountId, id: invoice.id })} />
        ),
    },
    {
      head: 'State',
      cell: ({ invoice }) => invoice && <InvoiceStateWord status={invoice.status} />,
    },
    { head: 'Amount', class: 'amount', cell: ({ invoice }) => invoice?.total },
    { head: 'Paid', class: 'amount', named: true, cell: ({ invoice }) => invoice?.totalPaid },
    { head: 'Attempts', class: 'number', named: true, cell: ({ invoice }) => invoice?.tries },
    { head: 'Next retry', named: true, cell: ({ invoice }) => invoice?.retryAt },
    {
      head: 'Payment',
      named: true,
      cell: ({ invoice }) =>
        invoice?.lastPaymentId && (
          <Id
            id={invoice.lastPaymentId}
            to={transactionPath({ accountId, id: invoice.lastPaymentId })}
          />
        ),
    },
  ]
}
