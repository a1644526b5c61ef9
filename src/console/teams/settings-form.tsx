// A form of a team's settings: a field for each, as it was typed if the form was refused.

import type { ComponentChildren } from 'preact'
import type { TeamWithAccounts } from '../../accounts/find-teams.ts'
import { ActionCard } from '../parts/action-form.tsx'
import {
  ChoiceField,
  FlagField,
  FormFault,
  filledForm,
  type RefusedForm,
  TextField,
} from '../parts/fields.tsx'
import { teamPath } from '../paths.ts'
import { type ShownSetting, type TeamSection, teamSettings, textOfShown } from './settings.ts'

export interface SettingsFormProps {
  readonly team: TeamWithAccounts
  readonly refused: RefusedForm | undefined
  readonly section: TeamSection
  readonly title: string
  /** The question before it is saved. */
  readonly asks?: string
  readonly class?: string
  readonly hasFile?: boolean
  /** What stands above the fields. */
  readonly children?: ComponentChildren
}

export function SettingsForm(props: SettingsFormProps) {
  const { team, section, refused, children, ...card } = props
  const { typed, faults } = filledForm(refused, section)
  return (
    <ActionCard
      {...card}
      id={`section-${section}`}
      to={`${teamPath(team.id)}/${section}`}
      fields={{ shown: textOfShown(team, section) }}
      button="Save"
    >
      <FormFault text={faults.form} />
      {children}
      {teamSettings(team, section).map((one) => (
        <SettingField
          key={one.field}
          setting={one}
          text={typed[one.field] ?? one.current}
          fault={faults[one.field]}
        />
      ))}
    </ActionCard>
  )
}

interface SettingFieldProps {
  readonly setting: ShownSetting
  readonly text: string
  readonly fault: string | undefined
}

function SettingField({ setting, text, fault }: SettingFieldProps) {
  const { field: name, label, input, choices = [], none } = setting
  const shared = { ...setting, name, fault }
  switch (input) {
    case 'flag':
      return <FlagField {...shared} isSet={text === 'true'} />
    case 'choice':
      return <ChoiceField {...shared} value={text} choices={choices} />
    case 'choices':
      return (
        <fieldset>
          <legend>{label}</legend>
          {choices.map(([one, words]) => (
            <FlagField
              key={one}
              name={`${name}_${one}`}
              label={words}
              isSet={text.split(',').includes(one)}
            />
          ))}
        </fieldset>
      )
    default:
      return <TextField {...shared} value={text} isRequired={none === undefined} />
  }
}
