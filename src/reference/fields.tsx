// The fields of an object, nested ones inside their own.

import type { ShownParameter, ShownSchema } from './document.ts'
import { objectHref, useOutline } from './outline.ts'
import { Line } from './prose.tsx'
import { choicesOf, limitsOf, typeWords } from './value-words.ts'

interface FieldsProps {
  readonly schema: ShownSchema
  /** The fields of a request are required or not, and those of an answer may be absent. */
  readonly of: 'request' | 'answer'
}

export function Fields({ schema, of }: FieldsProps) {
  const { properties = {}, required = [], anyOf } = schema
  if (anyOf !== undefined) return <FieldsOfForms forms={anyOf} of={of} />
  return (
    <dl class="fields">
      {Object.entries(properties).map(([name, field]) => (
        <Field
          key={name}
          name={name}
          schema={field}
          of={of}
          mark={markOf(of, required.includes(name))}
        />
      ))}
    </dl>
  )
}

function markOf(of: FieldsProps['of'], isRequired: boolean): string | undefined {
  if (of === 'request') return isRequired ? 'required' : undefined
  return isRequired ? undefined : 'may be absent'
}

/** The fields of an object that has one of several forms. */
function FieldsOfForms({ forms, of }: { forms: readonly ShownSchema[]; of: FieldsProps['of'] }) {
  return forms.map((schema, index) => (
    <>
      <p>{index === 0 ? 'Either:' : 'Or:'}</p>
      <Fields schema={schema} of={of} />
    </>
  ))
}

export function Parameters({ parameters }: { parameters: readonly ShownParameter[] }) {
  return (
    <dl class="fields">
      {parameters.map(({ name, schema, description, required = false }) => (
        <Field
          key={name}
          name={name}
          schema={description === undefined ? schema : { ...schema, description }}
          of="request"
          mark={required ? 'required' : undefined}
        />
      ))}
    </dl>
  )
}

interface FieldProps extends FieldsProps {
  readonly name: string
  readonly mark: string | undefined
}

function Field({ name, schema, of, mark }: FieldProps) {
  const { description } = schema
  const rest = [...limitsOf(schema), choiceWords(schema)].filter((text) => text !== '')
  const inside = schema.properties === undefined ? schema.items : schema
  return (
    <div>
      <dt>
        <code>{name}</code> <TypeOf schema={schema} />
        {mark === undefined ? null : (
          <>
            {' '}
            <em>{mark}</em>
          </>
        )}
      </dt>
      <dd>
        {description === undefined ? null : <Line text={description} />}
        {rest.length === 0 ? null : (
          <span class="limits">
            {' '}
            <Line text={rest.join(' ')} />
          </span>
        )}
        {inside?.properties === undefined ? null : <Fields schema={inside} of={of} />}
      </dd>
    </div>
  )
}

function choiceWords(schema: ShownSchema): string {
  const choices = choicesOf(schema).map((value) => `\`${value}\``)
  if (choices.length === 0) return ''
  const [last, ...others] = choices.reverse()
  return others.length === 0 ? `Always ${last}.` : `${others.reverse().join(', ')} or ${last}.`
}

export function TypeOf({ schema }: { schema: ShownSchema }) {
  const outline = useOutline()
  const { words, object, isNullable } = typeWords(schema)
  return (
    <span class="quiet">
      {words}
      {object === undefined ? null : <a href={objectHref(outline, object)}>{object}</a>}
      {isNullable ? ' or null' : ''}
    </span>
  )
}
