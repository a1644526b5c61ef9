// A field with its label, hint and error, connected by attributes so that a screen reader announces
// them together.

interface FieldProps {
  readonly id: string
  readonly label: string
  readonly hint?: string
  readonly type?: 'text' | 'email'
  readonly inputMode?: 'decimal' | 'numeric' | 'email' | 'text'
  readonly autoComplete: string
  readonly placeholder?: string
  readonly value?: string
  readonly maxLength: number
  readonly class?: string
}

export function Field(props: FieldProps) {
  const { id, label, hint, type = 'text', class: kind, ...rest } = props
  return (
    <div class={kind === undefined ? 'field' : `field ${kind}`}>
      <label htmlFor={id}>{label}</label>
      {hint === undefined ? null : (
        <span class="quiet hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      <input
        {...rest}
        id={id}
        // Both input types accept all attributes that are set here, which Preact's types deny.
        type={type as 'text'}
        autoCorrect="off"
        autoCapitalize={id === 'name' ? 'words' : 'off'}
        spellcheck={false}
        aria-describedby={hint === undefined ? `${id}-fault` : `${id}-hint ${id}-fault`}
      />
      <p class="field-fault" id={`${id}-fault`} hidden />
    </div>
  )
}
