// The pages of the reference: the introduction, one page for each tag, and the page of an unknown
// address.

import { JsonExample } from './examples.tsx'
import { Fields } from './fields.tsx'
import { ReferencePage } from './layout.tsx'
import { MethodWord, Operation } from './operation.tsx'
import { errorId, objectId, ROOT, type TagPage, useOutline } from './outline.ts'
import { AnchoredHeading, Line, ProseSection, sectionsOf } from './prose.tsx'

export function IntroductionPage() {
  const outline = useOutline()
  const { info, components } = outline.document
  const sections = sectionsOf(info.description ?? '')
  return (
    <ReferencePage title="Introduction" href={ROOT}>
      {sections
        .filter(({ heading }) => heading === undefined)
        .map((section) => (
          <ProseSection key="" section={section} />
        ))}
      <p class="call">
        <span class="quiet">Address</span> <code>{outline.address}</code>
      </p>
      <Operations />
      {sections
        .filter(({ heading }) => heading !== undefined)
        .map((section) => (
          <ProseSection key={section.heading} section={section} rowId={errorId} />
        ))}
      <ObjectSection name="Error" />
      <section class="prose">
        <AnchoredHeading id="headers" text="Headers of answers" />
        <dl class="fields">
          {Object.entries(components.headers ?? {}).map(([name, { description = '' }]) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>
                <Line text={description} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </ReferencePage>
  )
}

function Operations() {
  const { tags } = useOutline()
  return (
    <section class="prose">
      <AnchoredHeading id="operations" text="Operations" />
      <dl class="fields">
        {tags.map(({ slug, href, name, description, operations }) => (
          <div key={slug}>
            <dt>
              <a href={href}>{name}</a>{' '}
              <span class="quiet">
                {operations.length === 1 ? '1 operation' : `${operations.length} operations`}
              </span>
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

export function OperationsPage({ tag }: { tag: TagPage }) {
  const { name, href, description, operations, objects } = tag
  return (
    <ReferencePage title={name} href={href}>
      <p>{description}</p>
      <ul class="calls">
        {operations.map(({ id, method, path }) => (
          <li key={id}>
            <a href={`#${id}`}>
              <MethodWord method={method} /> <code>{path}</code>
            </a>
          </li>
        ))}
        {objects.map((object) => (
          <li key={object}>
            <a href={`#${objectId(object)}`}>
              <span class="verb">Object</span> {object}
            </a>
          </li>
        ))}
      </ul>
      {operations.map((entry) => (
        <Operation key={entry.id} entry={entry} />
      ))}
      {objects.map((object) => (
        <ObjectSection key={object} name={object} />
      ))}
    </ReferencePage>
  )
}

function ObjectSection({ name }: { name: string }) {
  const { document, exampleHomes } = useOutline()
  const schema = document.components.schemas[name]
  if (schema === undefined) return null
  const id = objectId(name)
  const example = exampleHomes.has(name) ? undefined : schema.examples?.[0]
  return (
    <section class="operation" aria-labelledby={id}>
      <div class="said">
        <AnchoredHeading id={id} text={`${name} object`} />
        {schema.description === undefined ? null : (
          <p>
            <Line text={schema.description} />
          </p>
        )}
        <Fields schema={schema} of="answer" />
      </div>
      <div class="shown">
        {example === undefined ? null : <JsonExample title="Example" value={example} />}
      </div>
    </section>
  )
}

export function NoPage() {
  return (
    <ReferencePage title="Not found">
      <p>
        There is no page at this address. <a href={ROOT}>Open the introduction</a>, or choose a page
        from the contents.
      </p>
    </ReferencePage>
  )
}
