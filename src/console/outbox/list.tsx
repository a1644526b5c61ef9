// The list of outbox messages, and its filters.

import { MESSAGE_CHANNELS } from '../../customers/addresses-of.ts'
import type { ListedMessage } from '../../deliveries/list-outbox.ts'
import { ChoiceField, FilterForm, type FormFaults, TextField } from '../parts/fields.tsx'
import { Pager } from '../parts/pager.tsx'
import { At, Table, TeamAndMode } from '../parts/shown.tsx'
import type { QueryParams } from '../query.ts'

export const OUTBOX_PATH = '/admin/outbox'

const WORDS = { email: 'E-mail', sms: 'SMS' } as const

interface OutboxListProps {
  readonly query: QueryParams
  readonly rows: readonly ListedMessage[]
  readonly newer: string | undefined
  readonly older: string | undefined
  readonly faults: FormFaults
  /** Channels with a provider: their messages are sent, not kept here. */
  readonly sent: readonly string[]
}

export function OutboxList({ query, rows, newer, older, faults, sent }: OutboxListProps) {
  const text = (name: string) => ({ name, value: query[name], fault: faults[name] })
  const isFiltered = Object.keys(query).length > 0
  return (
    <>
      <p class="quiet">
        Messages not sent: no provider is configured.
        {sent.length === 0 ? null : ` New ${sent.join(' and ')} are sent by a provider.`}
      </p>
      <FilterForm path={OUTBOX_PATH} isFiltered={isFiltered}>
        <TextField {...text('recipient')} label="To" type="search" placeholder="ada@ or +1202" />
        <ChoiceField
          {...text('channel')}
          label="Channel"
          any="Any"
          choices={MESSAGE_CHANNELS.map((one) => [one, WORDS[one]] as const)}
        />
        <TextField {...text('team')} label="Team" placeholder="Its name or id" />
      </FilterForm>
      <Table
        title="Kept messages"
        heads={['When (UTC)', 'To', 'Message', 'Team']}
        isEmpty={rows.length === 0}
        whenEmpty={isFiltered ? 'Nothing matches.' : 'There are no messages.'}
      >
        {rows.map((row) => (
          <tr key={row.id}>
            <td>
              <At instant={row.createdAt} />
            </td>
            <td>
              {row.recipient}
              <span class="quiet below">{WORDS[row.channel]}</span>
            </td>
            <td class="says">
              <a href={`${OUTBOX_PATH}/${row.accountId}/${row.id}`}>
                {row.subject ?? row.beginning}
              </a>
            </td>
            <td>
              <TeamAndMode team={row.teamName} mode={row.mode} />
            </td>
          </tr>
        ))}
      </Table>
      {rows.length === 0 ? null : (
        <Pager shown={`${rows.length} messages`} newer={newer} older={older} />
      )}
    </>
  )
}
