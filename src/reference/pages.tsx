// The pages of the reference: the introduction, one page for each tag, and the page of an unknown
// address.

import { exampleOf } from './example-of.ts'
import { JsonExample, jsonText } from './examples.tsx'
import { Fields } from './fields.tsx'
import { ReferencePage } from './layout.tsx'
import { MethodWord, Operation } from './operation.tsx'
import { errorId, type Outline, objectId, ROOT, type TagPage } from './outline.ts'
import { AnchoredHeading, Line, ProseSection, sectionsOf } from './prose.tsx'

interface PageProps {
  readonly outline: Outline
}

export function IntroductionPage({ outline }: PageProps) {
  const { info, components } = outline.document
  const sections = sectionsOf(info.description ?? '')
  return (
    <ReferencePage outline={outline} title="Introduction" href={ROOT}>
      {sections
        .filter(({ heading }) => heading === undefined)
        .map((section) => (
          <ProseSection key="" section={section} hrefs={outline.operationHrefs} />
        ))}
      <p class="call">
        <span class="quiet">Address</span> <code>{outline.address}</code>
      </p>
      <Operations outline={outline} />
      {sections
        .filter(({ heading }) => heading !== undefined)
        .map((section) => (
          <ProseSection
            key={section.heading}
            section={section}
            hrefs={outline.operationHrefs}
            rowId={errorId}
          />
        ))}
      <ObjectSection outline={outline} name="Error" />
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

function Operations({ outline: { tags } }: PageProps) {
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

interface TagProps extends PageProps {
  readonly tag: TagPage
}

export function OperationsPage({ outline, tag }: TagProps) {
  const { name, href, description, operations, objects } = tag
  return (
    <ReferencePage outline={outline} title={name} href={href}>
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
        <Operation key={entry.id} outline={outline} entry={entry} />
      ))}
      {objects.map((object) => (
        <ObjectSection key={object} outline={outline} name={object} />
      ))}
    </ReferencePage>
  )
}

interface ObjectProps extends PageProps {
  readonly name: string
}

function ObjectSection({ outline, name }: ObjectProps) {
  const { document } = outline
  const schema = document.components.schemas[name]
  if (schema === undefined) return null
  const id = objectId(name)
  const isShownBefore = outline.exampleHomes.has(name)
  const hasExample = schema.examples !== undefined && !isShownBefore
  return (
    <section class="operation" aria-labelledby={id}>
      <div class="said">
        <AnchoredHeading id={id} text={`${name} object`} />
        {schema.description === undefined ? null : (
          <p>
            <Line text={schema.description} hrefs={outline.operationHrefs} />
          </p>
        )}
        <Fields outline={outline} schema={schema} of="answer" />
      </div>
      <div class="shown">
        {hasExample ? (
          <JsonExample title="Example" text={jsonText(exampleOf(document, schema))} />
        ) : null}
      </div>
    </section>
  )
}

export function NoPage({ outline }: PageProps) {
  return (
    <ReferencePage outline={outline} title="Not found">
      <p>
        There is no page at this address. <a href={ROOT}>Open the introduction</a>, or choose a page
        from the contents.
      </p>
    </ReferencePage>
  )
}
