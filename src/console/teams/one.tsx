// A team: its settings and those of its accounts, its keys, its endpoints, and links to its rows.

import type { TeamWithAccounts } from '../../accounts/find-teams.ts'
import type { LogoFacts } from '../../accounts/look.ts'
import type { ListedKey } from '../../accounts/manage-keys.ts'
import { capitalized } from '../../core/sentence.ts'
import { FormFault } from '../parts/fields.tsx'
import { FactList, StatusWord } from '../parts/shown.tsx'
import { Endpoints, type TeamEndpoint } from './endpoints.tsx'
import { Keys } from './keys.tsx'
import { LookCard } from './look-card.tsx'
import type { RefusedTeam } from './settings.ts'
import { SettingsForm } from './settings-form.tsx'

export interface OneTeamProps {
  readonly team: TeamWithAccounts
  readonly keys: readonly ListedKey[]
  readonly newKeyId: string
  readonly endpoints: readonly TeamEndpoint[]
  /** By account. */
  readonly logos: ReadonlyMap<string, LogoFacts>
  readonly refused: RefusedTeam | undefined
}

export function OneTeam(props: OneTeamProps) {
  const { team, keys, newKeyId, endpoints, logos, refused } = props
  const accounts = team.accounts.toReversed()
  const forms = { team, refused }
  return (
    <>
      <section class="card" aria-label="Facts">
        <FactList
          of={{
            Status: <StatusWord status={team.enabled ? team.status : 'disabled'} />,
            Id: <code>{team.id}</code>,
            ...Object.fromEntries(
              team.accounts.map(({ id, mode }) => [
                `${capitalized(mode)} account`,
                <code key={id}>{id}</code>,
              ]),
            ),
            'Lists of this team': <Ways team={team} />,
          }}
        />
      </section>
      {refused === undefined || refused.section === 'keys' ? null : (
        <FormFault text="Nothing was saved: see what is marked below." />
      )}
      <div class="columns">
        <SettingsForm section="team" title="The team" {...forms} />
        <SettingsForm
          section="payments"
          title="Payments"
          asks={`Change whether ${team.name} may take payments?`}
          {...forms}
        >
          <p class="quiet">
            Unless it is active and enabled, a team moves no money: its requests about payments are
            refused, reading them included, its pages take no payment, and its schedules wait. Its
            customers, invoices and webhooks go on.
          </p>
        </SettingsForm>
        {accounts.map(({ id, mode }) => (
          <SettingsForm
            key={id}
            section={mode}
            title={mode === 'live' ? 'Live account' : 'Sandbox account'}
            {...forms}
          />
        ))}
        {accounts.map((account) => (
          <LookCard key={account.id} account={account} logo={logos.get(account.id)} {...forms} />
        ))}
      </div>
      <Keys
        teamId={team.id}
        keys={keys}
        newKeyId={newKeyId}
        refused={refused?.section === 'keys' ? refused : undefined}
      />
      <Endpoints teamId={team.id} rows={endpoints} />
    </>
  )
}

function Ways({ team }: { team: TeamWithAccounts }) {
  const places = [
    ['transactions', 'transactions'],
    ['batches', 'batches'],
    ['customers', 'customers'],
    ['links', 'payment links'],
    ['invoices', 'invoices'],
    ['schedules', 'schedules'],
    ['endpoints', 'endpoints'],
    ['deliveries', 'deliveries'],
    ['events', 'events'],
    ['outbox', 'outbox'],
  ] as const
  return (
    <span class="ways">
      {places.map(([place, words]) => (
        <a key={place} href={`/admin/${place}?team=${team.id}`}>
          {words}
        </a>
      ))}
    </span>
  )
}
