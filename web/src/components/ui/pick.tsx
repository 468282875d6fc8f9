import { Select } from "@/components/ui/field";

interface Props {
  label: string;
  /** What it says where nothing is picked. */
  every: string;
  value: string | undefined;
  options: (readonly [value: string, words: string])[];
  onPick: (value: string) => void;
}

/** Narrows a list to one of several, or not at all. */
export function Pick({ label, every, value = "", options, onPick }: Props) {
  return (
    <Select aria-label={label} value={value} onChange={(event) => onPick(event.target.value)}>
      <option value="">{every}</option>
      {options.map(([name, words]) => (
        <option key={name} value={name}>
          {words}
        </option>
      ))}
    </Select>
  );
}
