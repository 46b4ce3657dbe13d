export type { NodeView, PortView, SourceChoice } from "@weft/cwl/language/edit/describe-ports.ts";
export type {
  LinkMergeChoice,
  LinkTarget,
  NetworkGesture,
  PickValueChoice,
} from "@weft/cwl/language/edit/network-gesture.ts";
export type { PortPlace, Way, WayKind } from "@weft/cwl/language/edit/ways-to-connect.ts";
