// The list of transactions, and its filters.

import { MODES } from '../../accounts/key.ts'
import type { FoundTransaction } from '../../payments/anywhere/list-anywhere.ts'
import { ChoiceField, FilterForm, TextField } from '../parts/fields.tsx'
import { Pager } from '../parts/pager.tsx'
import { Amount, At, Id, personName, StatusWord, Table, TeamAndMode } from '../parts/shown.tsx'
import type { QueryParams } from '../query.ts'
import { METHODS, type Searched, TRANSACTION_STATUSES, TRANSACTIONS_PATH, TYPES } from './search.ts'

const HEADS = ['When (UTC)', 'Transaction', 'Team', 'Type', 'Amount', 'Status', 'Customer']

export function TransactionList({ query, found }: { query: QueryParams; found: Searched }) {
  const { rows, shown, newer, older, note } = found
  const isFiltered = Object.keys(query).length > 0
  return (
    <>
      <SearchForm query={query} found={found} isFiltered={isFiltered} />
      {note === undefined ? null : <p class="note">{note}</p>}
      <Table
        title="Transactions"
        heads={HEADS}
        isEmpty={rows.length === 0}
        whenEmpty={isFiltered ? 'Nothing matches.' : 'There are no payments yet.'}
      >
        {rows.map((row) => (
          <TransactionLine key={row.id} row={row} />
        ))}
      </Table>
      {rows.length === 0 ? null : <Pager shown={shown} newer={newer} older={older} />}
    </>
  )
}

/** The fields that the search word matches. */
const FINDS =
  'Ids of transactions, customers, invoices, schedules and batches; idempotency keys; ' +
  'the gateway’s references.'

interface SearchFormProps {
  readonly query: QueryParams
  readonly found: Searched
  readonly isFiltered: boolean
}

function SearchForm({ query, found: { faults }, isFiltered }: SearchFormProps) {
  const text = (name: string) => ({ name, value: query[name], fault: faults[name] })
  return (
    <FilterForm path={TRANSACTIONS_PATH} isFiltered={isFiltered}>
      <div class="wide">
        <TextField
          {...text('q')}
          type="search"
          label="Search"
          placeholder="A customer’s name or e-mail, a whole id, a key"
          hint={FINDS}
        />
      </div>
      <TextField {...text('team')} label="Team" placeholder="Its name or id" />
      <ChoiceField {...text('mode')} label="Mode" any="Any" choices={MODES} />
      <ChoiceField {...text('status')} label="Status" any="Any" choices={TRANSACTION_STATUSES} />
      <ChoiceField {...text('type')} label="Type" any="Any" choices={TYPES} />
      <ChoiceField {...text('method')} label="Method" any="Any" choices={METHODS} />
      <TextField {...text('amount')} label="Amount" inputMode="decimal" placeholder="12.50" />
      <TextField {...text('last_four')} label="Last four" inputMode="numeric" longest={4} />
      <TextField {...text('from')} label="From (UTC)" type="date" />
      <TextField {...text('to')} label="To (UTC)" type="date" />
    </FilterForm>
  )
}

function TransactionLine({ row }: { row: FoundTransaction }) {
  return (
    <tr>
      <td>
        <At instant={row.createdAt} />
      </td>
      <td>
        <Id id={row.id} to={`${TRANSACTIONS_PATH}/${row.accountId}/${row.id}`} />
      </td>
      <td>
        <TeamAndMode team={row.teamName} mode={row.mode} to={`/admin/teams/${row.teamId}`} />
      </td>
      <td>{row.type}</td>
      <td class="amount">
        <Amount cents={row.total} />
      </td>
      <td>
        <StatusWord status={row.status} /> <Since row={row} />
      </td>
      <td>
        {personName(row.customer)}
        <span class="quiet below">
          by {row.method}{' '}
          {row.lastFour === null ? null : <span class="number">··{row.lastFour}</span>}
        </span>
      </td>
    </tr>
  )
}

/** What happened to it after its success. */
function Since({ row }: { row: FoundTransaction }) {
  if (row.parkedAt !== null) return <StatusWord status="parked" />
  if (row.isVoided) return <span class="quiet">voided</span>
  if (row.refunded === 0n) return null
  return <span class="quiet">{row.refunded === row.total ? 'refunded' : 'refunded in part'}</span>
}
