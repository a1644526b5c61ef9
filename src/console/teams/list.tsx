// The list of teams, and the form that creates one.

import type { FoundTeams } from '../../accounts/find-teams.ts'
import type { Operator } from '../../operators/session.ts'
import { ActionForm, FilterForm, type FormFaults, TextField } from '../parts/fields.tsx'
import { grouped, Pager } from '../parts/pager.tsx'
import { At, Id, StatusWord, Table } from '../parts/shown.tsx'
import { pathWith, type QueryParams } from '../query.ts'

export const TEAMS_PATH = '/admin/teams'

export const PAGE_ROWS = 50

interface TeamListProps {
  readonly query: QueryParams
  readonly page: number
  readonly found: FoundTeams
  readonly operator: Operator
  readonly typed?: string | undefined
  readonly faults?: FormFaults
}

export function TeamList(props: TeamListProps) {
  const { query, page, found, operator, typed, faults = {} } = props
  const { total, teams } = found
  const first = (page - 1) * PAGE_ROWS
  const last = first + teams.length
  const at = (number: number) =>
    pathWith(TEAMS_PATH, query, { page: number === 1 ? undefined : number })
  return (
    <>
      <div class="beside">
        <FilterForm path={TEAMS_PATH} isFiltered={query.q !== undefined}>
          <TextField
            name="q"
            type="search"
            label="Search"
            value={query.q}
            placeholder="A name or an id"
          />
        </FilterForm>
        <ActionForm to={TEAMS_PATH} operator={operator} class="card filters">
          <div class="filter-fields">
            <TextField
              name="name"
              label="New team"
              value={typed}
              fault={faults.name}
              placeholder="Its name"
              longest={120}
              isRequired
            />
            <div class="row">
              <button type="submit">Create team</button>
            </div>
          </div>
        </ActionForm>
      </div>
      <Table
        title="Teams"
        heads={['Team', 'Status', 'Live account', 'Sandbox account', 'E-mail', 'Created (UTC)']}
        isEmpty={teams.length === 0}
        whenEmpty={query.q === undefined ? 'There is no team yet.' : 'Nothing matches.'}
      >
        {teams.map((team) => (
          <tr key={team.id}>
            <td>
              <a href={`${TEAMS_PATH}/${team.id}`}>{team.name}</a>
            </td>
            <td>
              <StatusWord status={team.enabled ? team.status : 'disabled'} />
            </td>
            {(['live', 'sandbox'] as const).map((mode) => (
              <td key={mode}>
                <AccountId id={team.accounts.find((one) => one.mode === mode)?.id} />
              </td>
            ))}
            <td>{team.email ?? <span class="quiet">–</span>}</td>
            <td>
              <At instant={team.createdAt} />
            </td>
          </tr>
        ))}
      </Table>
      {teams.length === 0 ? null : (
        <Pager
          shown={`${grouped(first + 1)}–${grouped(last)} of ${grouped(total)}`}
          newer={page > 1 ? at(page - 1) : undefined}
          older={last < total ? at(page + 1) : undefined}
        />
      )}
    </>
  )
}

function AccountId({ id }: { id: string | undefined }) {
  return id === undefined ? <span class="quiet">–</span> : <Id id={id} />
}
