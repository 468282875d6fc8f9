/** Forms in the looks of our pages: labels above, hints and errors below, groups, lists that can be put in order. */
import { ariaDescribedByIds, errorId, descriptionId, getInputProps } from "@rjsf/utils";
import type {
  ArrayFieldItemTemplateProps,
  ArrayFieldTemplateProps,
  BaseInputTemplateProps,
  FieldTemplateProps,
  MultiSchemaFieldTemplateProps,
  ObjectFieldTemplateProps,
  WidgetProps,
} from "@rjsf/utils";
import { ArrowDown, ArrowUp, Plus, X, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Files } from "@/components/forms/files";
import { currencyOf } from "@/components/forms/looks";
import { TEXTS } from "@/components/forms/texts";
import { Button } from "@/components/ui/button";
import { Input, Select, TextArea } from "@/components/ui/field";
import { plain } from "@/lib/format";
import { momentOf, wallTime, zone } from "@/lib/locale";

const WORDS = TEXTS.theme;

function Field({ id, label, displayLabel, required, schema, rawErrors, hidden, children }: FieldTemplateProps) {
  if (hidden) return <div className="hidden">{children}</div>;
  const { description, type } = schema as { description?: string; type?: string };
  // groups and lists have their own heading; a yes or no has its label beside it
  const labelled = displayLabel && type !== "boolean";
  return (
    <div className="space-y-1.5">
      {labelled ? (
        <label htmlFor={id} className="block font-medium">
          {plain(label)}
          {required ? <Required /> : null}
        </label>
      ) : null}
      {children}
      {description && (labelled || type === "boolean") ? (
        <p id={descriptionId(id)} className="text-xs text-ink-3">
          {plain(description)}
        </p>
      ) : null}
      <Errors id={id} of={rawErrors} />
    </div>
  );
}

function Required() {
  return (
    <span className="font-normal text-ink-3" title={WORDS.requiredTitle}>
      {" "}
      {WORDS.required}
    </span>
  );
}

function Errors({ id, of = [] }: { id: string; of: string[] | undefined }) {
  if (of.length === 0) return null;
  return (
    <div id={errorId(id)} role="alert" className="text-xs text-critical">
      {[...new Set(of)].map((error) => (
        <p key={error}>{plain(error)}</p>
      ))}
    </div>
  );
}

function Group({ fieldPathId, title, description, properties, required }: ObjectFieldTemplateProps) {
  const fields = properties.map((one) => <div key={one.name}>{one.content}</div>);
  if (fieldPathId.path.length === 0) {
    return (
      <div className="space-y-4">
        {description ? <p className="text-ink-2">{words(description)}</p> : null}
        {fields}
      </div>
    );
  }
  return (
    <fieldset className="space-y-3 rounded-lg border border-line p-4">
      {title ? (
        <legend className="px-1 font-medium">
          {plain(title)}
          {required ? <Required /> : null}
        </legend>
      ) : null}
      {description ? <p className="text-xs text-ink-3">{words(description)}</p> : null}
      {fields}
    </fieldset>
  );
}

function words(said: ReactNode): ReactNode {
  return typeof said === "string" ? plain(said) : said;
}

function List({ title, schema, items, canAdd, onAddClick, required }: ArrayFieldTemplateProps) {
  return (
    <fieldset className="space-y-2">
      <legend className="mb-1.5 font-medium">
        {plain(title)}
        {required ? <Required /> : null}
      </legend>
      {schema.description ? <p className="text-xs text-ink-3">{plain(schema.description)}</p> : null}
      {items.length === 0 ? <p className="text-ink-3">{WORDS.noneYet}</p> : <ol className="space-y-2">{items}</ol>}
      {canAdd ? (
        <Button size="sm" onClick={onAddClick}>
          <Plus aria-hidden className="size-4" /> {WORDS.add}
        </Button>
      ) : null}
    </fieldset>
  );
}

function Item({ children, buttonsProps, index, totalItems }: ArrayFieldItemTemplateProps) {
  const { hasMoveUp, hasMoveDown, hasRemove, onMoveUpItem, onMoveDownItem, onRemoveItem, disabled, readonly } = buttonsProps;
  const off = disabled === true || readonly === true;
  const name = WORDS.entry(index + 1);
  return (
    <li className="flex items-start gap-1">
      <div className="min-w-0 flex-1">{children}</div>
      <div className="flex shrink-0 max-sm:flex-col">
        {totalItems > 1 ? (
          <>
            <Turn icon={ArrowUp} label={WORDS.moveUp(name)} off={off || !hasMoveUp} onClick={onMoveUpItem} />
            <Turn icon={ArrowDown} label={WORDS.moveDown(name)} off={off || !hasMoveDown} onClick={onMoveDownItem} />
          </>
        ) : null}
        {hasRemove ? <Turn icon={X} label={WORDS.remove(name)} off={off} onClick={onRemoveItem} /> : null}
      </div>
    </li>
  );
}

function Turn({ icon: Icon, label, off, onClick }: { icon: LucideIcon; label: string; off: boolean; onClick: (event?: unknown) => void }) {
  return (
    <Button tone="ghost" size="icon" aria-label={label} title={label} disabled={off} onClick={onClick}>
      <Icon aria-hidden className="size-4" />
    </Button>
  );
}

/** One of several ways to answer, each under its name. */
function Choice({ selector, optionSchemaField }: MultiSchemaFieldTemplateProps) {
  return (
    <div className="space-y-3">
      {selector}
      {optionSchemaField}
    </div>
  );
}

/** What every control carries: what helps and what is wrong, for those who cannot see it. */
function about({ id, rawErrors, required }: Pick<WidgetProps, "id" | "rawErrors" | "required">) {
  return { id, "aria-describedby": ariaDescribedByIds(id), "aria-invalid": (rawErrors?.length ?? 0) > 0, "aria-required": required === true };
}

function Line(props: BaseInputTemplateProps) {
  const { id, htmlName, readonly, disabled, onBlur, onFocus, onChange, onChangeOverride, options, schema, placeholder } = props;
  const value = props.value as string | number | null | undefined;
  const type = props.type as string | undefined;
  const { step, min, max, autoComplete, type: kind } = getInputProps(schema, type, options);
  const currency = currencyOf(schema);
  const input = (
    <Input
      {...about(props)}
      name={htmlName ?? id}
      type={currency === null ? kind : "number"}
      step={currency === null ? step : 0.01}
      min={min}
      max={max}
      autoComplete={autoComplete}
      placeholder={placeholder}
      readOnly={readonly}
      disabled={disabled}
      value={value ?? ""}
      className={kind === "number" || currency !== null ? "max-w-48" : ""}
      onChange={onChangeOverride ?? ((event) => onChange(event.target.value === "" ? options.emptyValue : event.target.value))}
      onBlur={(event) => onBlur(id, event.target.value)}
      onFocus={(event) => onFocus(id, event.target.value)}
    />
  );
  if (!currency) return input;
  return (
    <div className="flex items-center gap-2">
      {input}
      <span className="text-ink-2">{currency}</span>
    </div>
  );
}

function Long(props: WidgetProps) {
  const { readonly, disabled, onChange, options } = props;
  const value = props.value as string | null | undefined;
  return (
    <TextArea
      {...about(props)}
      rows={5}
      readOnly={readonly}
      disabled={disabled}
      value={value ?? ""}
      onChange={(event) => onChange(event.target.value === "" ? options.emptyValue : event.target.value)}
    />
  );
}

/** Values are told apart by their place: they may be of any type. */
function Pick(props: WidgetProps) {
  const { disabled, readonly, onChange, options, label } = props;
  const value = props.value as unknown;
  const offered = options.enumOptions ?? [];
  const at = offered.findIndex((one) => JSON.stringify(one.value) === JSON.stringify(value));
  return (
    <Select {...about(props)} aria-label={plain(label)} disabled={disabled || readonly} value={at < 0 ? "" : String(at)} onChange={(event) => onChange(offered[Number(event.target.value)]?.value)}>
      {at < 0 ? <option value="">{WORDS.choose}</option> : null}
      {offered.map((one, index) => (
        <option key={index} value={index}>
          {plain(one.label)}
        </option>
      ))}
    </Select>
  );
}

const row = "flex cursor-pointer items-center gap-2.5";

function Radios(props: WidgetProps) {
  const { id, disabled, readonly, onChange, options, label } = props;
  const value = props.value as unknown;
  const { id: _, "aria-required": __, ...said } = about(props);
  return (
    <div role="radiogroup" id={id} {...said} aria-label={plain(label)} className="flex flex-wrap gap-x-5 gap-y-2">
      {(options.enumOptions ?? []).map((one, index) => (
        <label key={index} className={row}>
          <input type="radio" name={id} className="size-4 accent-accent" disabled={disabled || readonly} checked={JSON.stringify(one.value) === JSON.stringify(value)} onChange={() => onChange(one.value)} />
          {plain(one.label)}
        </label>
      ))}
    </div>
  );
}

function Several(props: WidgetProps) {
  const { id, disabled, readonly, onChange, options, label } = props;
  const value = props.value as unknown;
  const chosen = Array.isArray(value) ? (value as unknown[]) : [];
  const has = (one: unknown) => chosen.some((each) => JSON.stringify(each) === JSON.stringify(one));
  const offered = options.enumOptions ?? [];
  return (
    <div role="group" id={id} aria-label={plain(label)} aria-describedby={ariaDescribedByIds(id)} className="flex flex-wrap gap-x-5 gap-y-2">
      {offered.map((one, index) => (
        <label key={index} className={row}>
          <input
            type="checkbox"
            className="size-4 accent-accent"
            disabled={disabled || readonly}
            checked={has(one.value)}
            // in the order in which they are offered
            onChange={(event) => onChange(offered.filter((each) => (each === one ? event.target.checked : has(each.value))).map((each) => each.value as unknown))}
          />
          {plain(one.label)}
        </label>
      ))}
    </div>
  );
}

function Check(props: WidgetProps) {
  const { disabled, readonly, onChange, label } = props;
  const value = props.value as unknown;
  return (
    <label className={row}>
      <input type="checkbox" {...about(props)} className="size-4 accent-accent" disabled={disabled || readonly} checked={value === true} onChange={(event) => onChange(event.target.checked)} />
      {plain(label)}
    </label>
  );
}

/** A moment in the person's own time zone, which is named; it is sent as a moment. */
function Moment(props: WidgetProps) {
  const { disabled, readonly, onChange } = props;
  const value = props.value as string | null | undefined;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Input {...about(props)} type="datetime-local" className="w-60" disabled={disabled} readOnly={readonly} value={value ? wallTime(new Date(value)) : ""} onChange={(event) => onChange(event.target.value === "" ? undefined : momentOf(event.target.value).toISOString())} />
      <span className="text-xs text-ink-3">{WORDS.yourTimeZone(zone())}</span>
    </div>
  );
}

export const templates = {
  FieldTemplate: Field,
  ObjectFieldTemplate: Group,
  ArrayFieldTemplate: List,
  ArrayFieldItemTemplate: Item,
  MultiSchemaFieldTemplate: Choice,
  BaseInputTemplate: Line,
};

export const widgets = {
  TextareaWidget: Long,
  SelectWidget: Pick,
  RadioWidget: Radios,
  CheckboxesWidget: Several,
  CheckboxWidget: Check,
  DateTimeWidget: Moment,
  FileWidget: Files,
};
