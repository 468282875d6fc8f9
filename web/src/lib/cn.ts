import { clsx, type ClassValue } from "clsx";
import { twMerge } from "tailwind-merge";

/** Class names, where a later one wins over an earlier one of the same kind. */
export function cn(...names: ClassValue[]): string {
  return twMerge(clsx(names));
}
