// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// DWARF constants (versions 2 to 5 and GNU extensions) that wick reads.

#include <cstdint>

namespace wick::elf::dw {

enum Tag : uint16_t {
  kTagClassType = 0x02,
  kTagFormalParameter = 0x05,
  kTagLexicalBlock = 0x0b,
  kTagCompileUnit = 0x11,
  kTagStructureType = 0x13,
  kTagUnionType = 0x17,
  kTagInlinedSubroutine = 0x1d,
  kTagEnumerationType = 0x04,
  kTagInterfaceType = 0x38,
  kTagSubprogram = 0x2e,
  kTagNamespace = 0x39,
  kTagPartialUnit = 0x3c,
  kTagSkeletonUnit = 0x4a,
};

enum Attribute : uint16_t {
  kAtName = 0x03,
  kAtStmtList = 0x10,
  kAtLowPc = 0x11,
  kAtHighPc = 0x12,
  kAtLanguage = 0x13,
  kAtInline = 0x20,
  kAtProducer = 0x25,
  kAtCompDir = 0x1b,
  kAtAbstractOrigin = 0x31,
  kAtDeclColumn = 0x39,
  kAtDeclLine = 0x3b,
  kAtDeclaration = 0x3c,
  kAtSpecification = 0x47,
  kAtRanges = 0x55,
  kAtCallColumn = 0x57,
  kAtCallFile = 0x58,
  kAtCallLine = 0x59,
  kAtLinkageName = 0x6e,
  kAtStrOffsetsBase = 0x72,
  kAtAddrBase = 0x73,
  kAtRnglistsBase = 0x74,
  kAtDwoName = 0x76,
  kAtMipsLinkageName = 0x2007,
  kAtGnuDwoName = 0x2130,
  kAtGnuDwoId = 0x2131,
  kAtGnuRangesBase = 0x2132,
  kAtGnuAddrBase = 0x2133,
};

enum Form : uint16_t {
  kFormAddr = 0x01,
  kFormBlock2 = 0x03,
  kFormBlock4 = 0x04,
  kFormData2 = 0x05,
  kFormData4 = 0x06,
  kFormData8 = 0x07,
  kFormString = 0x08,
  kFormBlock = 0x09,
  kFormBlock1 = 0x0a,
  kFormData1 = 0x0b,
  kFormFlag = 0x0c,
  kFormSdata = 0x0d,
  kFormStrp = 0x0e,
  kFormUdata = 0x0f,
  kFormRefAddr = 0x10,
  kFormRef1 = 0x11,
  kFormRef2 = 0x12,
  kFormRef4 = 0x13,
  kFormRef8 = 0x14,
  kFormRefUdata = 0x15,
  kFormIndirect = 0x16,
  kFormSecOffset = 0x17,
  kFormExprloc = 0x18,
  kFormFlagPresent = 0x19,
  kFormStrx = 0x1a,
  kFormAddrx = 0x1b,
  kFormRefSup4 = 0x1c,
  kFormStrpSup = 0x1d,
  kFormData16 = 0x1e,
  kFormLineStrp = 0x1f,
  kFormRefSig8 = 0x20,
  kFormImplicitConst = 0x21,
  kFormLoclistx = 0x22,
  kFormRnglistx = 0x23,
  kFormRefSup8 = 0x24,
  kFormStrx1 = 0x25,
  kFormStrx2 = 0x26,
  kFormStrx3 = 0x27,
  kFormStrx4 = 0x28,
  kFormAddrx1 = 0x29,
  kFormAddrx2 = 0x2a,
  kFormAddrx3 = 0x2b,
  kFormAddrx4 = 0x2c,
  kFormGnuAddrIndex = 0x1f01,
  kFormGnuStrIndex = 0x1f02,
  kFormGnuRefAlt = 0x1f20,
  kFormGnuStrpAlt = 0x1f21,
};

enum UnitType : uint8_t {
  kUnitCompile = 1,
  kUnitType = 2,
  kUnitPartial = 3,
  kUnitSkeleton = 4,
  kUnitSplitCompile = 5,
  kUnitSplitType = 6
};

enum RangeListEntry : uint8_t {
  kRleEnd = 0,
  kRleBaseAddressx = 1,
  kRleStartxEndx = 2,
  kRleStartxLength = 3,
  kRleOffsetPair = 4,
  kRleBaseAddress = 5,
  kRleStartEnd = 6,
  kRleStartLength = 7,
};

enum LineContent : uint16_t { kLnctPath = 1, kLnctDirectoryIndex = 2 };

}  // namespace wick::elf::dw
