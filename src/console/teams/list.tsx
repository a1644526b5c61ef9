// The list of teams, and the form that creates one.

import type { FoundTeams } from '../../accounts/find-teams.ts'
import type { Operator } from '../../operators/session.ts'
import { ActionForm, Submit } from '../parts/action-form.tsx'
import { FilterForm, type FormFaults, TextField, UnknownFilters } from '../parts/fields.tsx'
import { Pager, type PagerProps } from '../parts/pager.tsx'
import { At, Dash, Id, LongLink, LongText, StatusWord, Table } from '../parts/shown.tsx'
import type { QueryParams } from '../query.ts'

export const TEAMS_PATH = '/admin/teams'

interface TeamListProps {
  readonly query: QueryParams
  readonly teams: FoundTeams['teams']
  readonly pager: PagerProps
  readonly operator: Operator
  readonly typed?: string | undefined
  readonly faults?: FormFaults
}

export function TeamList(props: TeamListProps) {
  const { query, teams, pager, operator, typed, faults = {} } = props
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
            <Submit>Create team</Submit>
          </div>
        </ActionForm>
      </div>
      <UnknownFilters query={query} known={['q', 'page']} />
      <Table
        title="Teams"
        heads={['Team', 'Status', 'Live account', 'Sandbox account', 'E-mail', 'Created (UTC)']}
        isEmpty={teams.length === 0}
        whenEmpty={query.q === undefined ? 'There is no team yet.' : 'Nothing matches.'}
      >
        {teams.map((team) => (
          <tr key={team.id}>
            <td class="main">
              <LongLink to={`${TEAMS_PATH}/${team.id}`} text={team.name} />
            </td>
            <td>
              <StatusWord status={team.enabled ? team.status : 'disabled'} />
            </td>
            {(['live', 'sandbox'] as const).map((mode) => (
              <td key={mode} data-head={mode === 'live' ? 'Live' : 'Sandbox'}>
                <AccountId id={team.accounts.find((one) => one.mode === mode)?.id} />
              </td>
            ))}
            <td data-head="E-mail">
              {team.email === null ? <Dash /> : <LongText text={team.email} />}
            </td>
            <td>
              <At instant={team.createdAt} />
            </td>
          </tr>
        ))}
      </Table>
      {teams.length === 0 ? null : <Pager {...pager} />}
    </>
  )
}

function AccountId({ id }: { id: string | undefined }) {
  return id === undefined ? <Dash /> : <Id id={id} />
}
