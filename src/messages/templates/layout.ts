// The one layout of all letters, as MJML. Values in double braces are filled in later and escaped.
//
// An opened letter loads nothing: no fonts, no tracking, and the logo comes with the letter.

import { LIGHT, STYLES } from './styles.ts'

/** The name of the logo among the parts of an e-mail. */
export const LOGO_CID = 'logo@lamplighter'

const FONTS = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"

const MONOSPACED = 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace'

const HEAD = `
  <mj-title>{{subject}}</mj-title>
  <mj-preview>{{preheader}}</mj-preview>
  <mj-raw>
    <meta name="color-scheme" content="light dark" />
    <meta name="supported-color-schemes" content="light dark" />
    <meta name="format-detection" content="telephone=no,date=no,address=no,email=no" />
    <meta name="x-apple-disable-message-reformatting" />
    <style>:root { color-scheme: light dark; supported-color-schemes: light dark; }</style>
  </mj-raw>
  <mj-attributes>
    <mj-all font-family="${FONTS}" />
    <mj-text font-size="15px" line-height="23px" color="${LIGHT.ink}" padding="0 40px" />
    <mj-table font-size="15px" line-height="22px" color="${LIGHT.ink}" padding="0 40px" />
    <mj-section padding="0" />
  </mj-attributes>
  <mj-style>${STYLES}</mj-style>`

const BOX = `background:${LIGHT.tint};padding:10px 14px;border-radius:6px`

const HEADING = `
  {{#testNote}}
  <mj-text css-class="gut ink" padding-top="28px" font-size="14px" line-height="20px">
    <div class="tint note" style="${BOX};border:1px dashed ${LIGHT.quiet}">
      <strong>{{testNote}}</strong>
    </div>
  </mj-text>
  {{/testNote}}
  <mj-divider css-class="gut{{#own}} bar{{/own}}" align="left" width="40px" border-width="4px"
    border-color="{{bar}}" padding="36px 40px 0" />
  {{#logo}}
  <mj-text css-class="gut" padding-top="20px" line-height="1">
    <img class="logo" src="cid:${LOGO_CID}" alt="" width="{{width}}" height="{{height}}"
      style="display:block;border:0;max-width:100%;height:auto" />
  </mj-text>
  {{/logo}}
  <mj-text css-class="gut ink" padding-top="14px" font-size="16px" font-weight="600">
    <bdi>{{sender}}</bdi>
  </mj-text>
  {{#amount}}
  <mj-text css-class="gut quiet" padding-top="24px" color="${LIGHT.quiet}">
    <h1 style="margin:0;font-size:15px;line-height:23px;font-weight:400">{{title}}</h1>
  </mj-text>
  <mj-text css-class="gut {{tone}}" padding-top="2px" font-size="42px" line-height="1.15"
    font-weight="600" letter-spacing="-0.02em">
    <div class="amt num" style="{{style}}">{{amount}}</div>
  </mj-text>
  {{/amount}}
  {{^amount}}
  <mj-text css-class="gut ink" padding-top="24px">
    <h1 style="margin:0;font-size:24px;line-height:30px;font-weight:600">{{title}}</h1>
  </mj-text>
  {{/amount}}
  <mj-text css-class="gut ink" padding-top="12px">{{lead}}</mj-text>`

const LINK = `color:${LIGHT.quiet};overflow-wrap:anywhere`

const BUTTON = `
  {{#button}}
  <mj-button css-class="gut press" align="left" href="{{url}}" color="{{onPress}}"
    background-color="{{press}}" border="{{border}}" font-size="16px" font-weight="600"
    border-radius="8px"
    inner-padding="15px 30px" padding="24px 40px 0">{{label}}</mj-button>
  <mj-text css-class="gut quiet" padding-top="12px" font-size="12px" line-height="18px"
    color="${LIGHT.quiet}">
    {{before}}<a class="quiet" href="{{url}}" style="${LINK}">{{address}}</a>
  </mj-text>
  {{/button}}`

const COMMAND = `${BOX};margin-bottom:8px;white-space:pre-wrap;overflow-wrap:anywhere`

const COMMANDS = `
  {{#hasCommands}}
  <mj-text css-class="gut ink" padding-top="20px" font-family="${MONOSPACED}"
    font-size="12px" line-height="20px">
    {{#commands}}<div class="tint" style="${COMMAND}">{{.}}</div>{{/commands}}
  </mj-text>
  {{/hasCommands}}`

/** The cells have as little markup as possible, because a sale may have hundreds of lines. */
const CELL = `padding:11px 0;border-bottom:1px solid ${LIGHT.line};vertical-align:top`
const NUMBER = 'text-align:right;white-space:nowrap'
const SMALL = `color:${LIGHT.quiet};font-size:13px;line-height:19px`

const ITEMS = `
  {{#hasItems}}
  <mj-table css-class="gut ink rule" padding-top="28px">
    <tr class="quiet" style="color:${LIGHT.quiet};font-size:13px">
      <th scope="col" style="${CELL};text-align:left;font-weight:400">{{layout.item}}</th>
      <th scope="col" style="${CELL};text-align:right;font-weight:400">{{layout.amount}}</th>
    </tr>
    {{#items}}<tr>
      <td style="${CELL}"><bdi>{{name}}</bdi>
        {{#details}}<div class="quiet" style="${SMALL}">{{details}}</div>{{/details}}
      </td>
      <td class="num" style="${CELL};padding-left:16px;${NUMBER}">{{amount}}</td>
    </tr>{{/items}}
  </mj-table>
  {{/hasItems}}`

const SUMS = `
  {{#hasSums}}
  <mj-table css-class="gut ink" padding-top="10px">
    {{#sums}}<tr class="{{tone}}" style="{{style}}">
      <th scope="row" style="padding:4px 0;text-align:left;font-weight:inherit">{{label}}</th>
      <td class="num" style="padding:4px 0;${NUMBER}">{{value}}</td>
    </tr>{{/sums}}
  </mj-table>
  {{/hasSums}}`

const KEY = `width:30%;padding:5px 16px 5px 0;text-align:left;vertical-align:top;font-weight:400`
const VALUE = `padding:5px 0;vertical-align:top;word-break:break-word;overflow-wrap:anywhere`

const FACTS = `
  <mj-table css-class="gut ink" padding-top="28px" font-size="14px">
    {{#facts}}<tr>
      <th class="key quiet" scope="row" style="${KEY};color:${LIGHT.quiet}">{{label}}</th>
      <td class="num" style="${VALUE}"><bdi>{{value}}</bdi></td>
    </tr>{{/facts}}
  </mj-table>`

const CLOSING = `
  <mj-text css-class="gut quiet" padding-top="28px" padding-bottom="36px" font-size="13px"
    line-height="20px" color="${LIGHT.quiet}">
    {{#closing}}<div style="overflow-wrap:anywhere">{{.}}</div>{{/closing}}
    {{#optOut}}<div><a class="quiet" href="{{url}}" style="${LINK}">{{label}}</a></div>{{/optOut}}
  </mj-text>`

const PARTS = [HEADING, BUTTON, COMMANDS, ITEMS, SUMS, FACTS, CLOSING]

export const LAYOUT = `
<mjml lang="{{language}}" dir="ltr">
  <mj-head>${HEAD}</mj-head>
  <mj-body width="560px" css-class="page" background-color="${LIGHT.paper}">
    <mj-section css-class="edge" padding="28px 12px">
      <mj-column css-class="card" background-color="${LIGHT.card}" border-radius="12px">
        ${squeezed(inRaw(PARTS.join('\n')))}
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>`

/**
 * Tags that open and close optional parts stand between elements, where MJML allows only elements.
 */
function inRaw(mjml: string): string {
  return mjml.replace(/^\s*(\{\{[#^/]\w+\}\})$/gm, '<mj-raw>$1</mj-raw>')
}

/** Removes white space that only people need; some of it would be sent with each line of a sale. */
function squeezed(mjml: string): string {
  return mjml.replace(/\s+/g, ' ').replace(/([>}]) (?=[<{])/g, '$1')
}
