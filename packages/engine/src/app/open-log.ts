import type { OpenLog } from "../journal/journal.ts";
import { openSqliteJournal } from "../journal/sqlite-journal.ts";
import { LOG_FEATURES } from "./features.ts";

const FOLDS = { features: LOG_FEATURES, writer: new URL("./log-thread.ts", import.meta.url) };

export const openLog: OpenLog = (path, durability, log = () => {}) => openSqliteJournal(path, durability, FOLDS, log);
