// The form for a new payment link.

import { MODES } from '../../accounts/key.ts'
import { ActionForm, Submit } from '../parts/action-form.tsx'
import { ChoiceField, FormFault, type FormFaults, fieldsOf, TextField } from '../parts/fields.tsx'
import { LINKS_PATH } from '../paths.ts'
import { LinkFields, type TypedLink } from './fields.tsx'
import { NEW_LINK_PATH } from './list.tsx'

export interface NewLinkProps {
  readonly team: string
  readonly mode: string
  readonly typed: TypedLink
  readonly faults: FormFaults
  /** Made with the form, so that sending it twice makes one link. */
  readonly formKey: string
}

export function NewLinkForm(props: NewLinkProps) {
  const { team, mode, typed, faults, formKey } = props
  const field = fieldsOf({ team, mode }, faults)
  return (
    <section class="card narrow">
      <ActionForm to={NEW_LINK_PATH} class="stack" fields={{ key: formKey }}>
        <FormFault text={faults.form} />
        <TextField {...field('team')} label="Team" placeholder="Its name or id" isRequired />
        <ChoiceField
          {...field('mode')}
          label="Mode"
          choices={MODES}
          hint="In sandbox mode no money moves."
        />
        <LinkFields typed={typed} faults={faults} />
        <Submit cancel={LINKS_PATH}>Create payment link</Submit>
      </ActionForm>
    </section>
  )
}
